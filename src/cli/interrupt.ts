/** One Ctrl-C may arrive twice: from the terminal, and passed on by bin/assay.js. */
const SAME_KEY_MS = 500;

/**
 * Runs `work` with a signal that is aborted by SIGINT or SIGTERM. A second, later SIGINT ends the process at once.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let firstMs = 0;
  const onSignal = () => {
    if (firstMs === 0) firstMs = Date.now();
    else if (Date.now() - firstMs > SAME_KEY_MS) process.exit(130);
    controller.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}
