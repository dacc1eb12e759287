/** A signal that aborts after a time limit, and a function that stops the timer. */
interface TimeLimit {
  readonly signal: AbortSignal;
  readonly stop: () => void;
}

/**
 * Starts a time limit of `ms` milliseconds. Use this function instead of passing `AbortSignal.timeout` to
 * `AbortSignal.any`, because a garbage collection in Node 20 can delete the timeout, and the combined signal then never
 * aborts.
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
