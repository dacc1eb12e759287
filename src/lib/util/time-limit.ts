/** A signal that aborts when the time is over, and a function that ends the measurement. */
interface TimeLimit {
  readonly signal: AbortSignal;
  readonly stop: () => void;
}

/**
 * Starts a time limit of `ms` milliseconds. Use it instead of `AbortSignal.timeout` inside `AbortSignal.any`: Node 20
 * deletes such a timeout at the next garbage collection, and the signal never aborts.
 */
export function startTimeLimit(ms: number): TimeLimit {
  const limit = new AbortController();
  const timer = setTimeout(() => {
    limit.abort(new Error(`Took more than ${ms} ms.`));
  }, ms);
  return {
    signal: limit.signal,
    stop: () => {
      clearTimeout(timer);
    },
  };
}
