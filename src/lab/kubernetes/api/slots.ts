/** A counted right to do something: at most `count` at once, first come first served. */
export interface Slots {
  /** Waits for a slot; returns what gives it back. Rejects with the signal's reason when that comes first. */
  take(signal: AbortSignal): Promise<() => void>;
}

export function createSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  const giveBack = (): (() => void) => {
    let given = false;
    return () => {
      if (given) return;
      given = true;
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    };
  };
  return {
    take(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free--;
        return Promise.resolve(giveBack());
      }
      return new Promise((resolve, reject) => {
        const go = (): void => {
          signal.removeEventListener('abort', leave);
          resolve(giveBack());
        };
        const leave = (): void => {
          waiting.splice(waiting.indexOf(go), 1);
          reject(signal.reason as Error);
        };
        waiting.push(go);
        signal.addEventListener('abort', leave, { once: true });
      });
    },
  };
}
