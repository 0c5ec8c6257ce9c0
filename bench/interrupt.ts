type Cleanup = () => Promise<unknown>;

const cleanups: Cleanup[] = [];
let wasInterrupted = false;

/** Nothing new is to be started. */
export function interrupted(): boolean {
  return wasInterrupted;
}

/** Runs `act`, then the cleanup, however it ends: also when somebody interrupts the whole command. */
export async function cleanedUp<T>(cleanup: Cleanup, act: () => Promise<T>): Promise<T> {
  cleanups.push(cleanup);
  try {
    return await act();
  } finally {
    // One that is not there any more is being carried out by the interruption.
    const at = cleanups.indexOf(cleanup);
    if (at >= 0) {
      cleanups.splice(at, 1);
      await cleanup();
    }
  }
}

/** From now on Ctrl-C and its like end the command only after everything it started is gone. */
export function cleanUpOnSignals(say: (text: string) => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // npm passes on a signal that came already.
      if (wasInterrupted) return;
      wasInterrupted = true;
      say(`interrupted by ${signal}: ending what was started`);
      void endAll().then(() => process.exit(130));
    });
  }
}

async function endAll(): Promise<void> {
  for (let cleanup = cleanups.pop(); cleanup !== undefined; cleanup = cleanups.pop()) {
    await cleanup().catch(() => undefined);
  }
}
