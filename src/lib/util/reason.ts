/** Returns the reason of a failure in one text: the message of the error, then the messages of its causes. */
export function reasonOf(error: unknown): string {
  const [message, ...causes] = messagesOf(error);
  return causes.reduce(
    (text, cause) => (text.includes(cause) ? text : `${text}: ${cause}`),
    message ?? '',
  );
}

/** Causes may refer to each other in a circle. */
const MOST_CAUSES = 5;

function messagesOf(error: unknown, depth = 1): string[] {
  if (!isError(error)) {
    return [String(error)];
  }
  // A host with several addresses fails with an error for each of them and no message of its own.
  const own = error.message || listOf(error);
  const further =
    error.cause === undefined || depth === MOST_CAUSES ? [] : messagesOf(error.cause, depth + 1);
  return own === '' && further.length === 0 ? [error.name] : [own, ...further].filter(Boolean);
}

const listOf = (error: Error): string =>
  error instanceof AggregateError ? error.errors.map((one) => reasonOf(one)).join(', ') : '';

/** Node creates errors of sockets and files outside the context that a test runs in, so `instanceof` is not enough. */
const isError = (error: unknown): error is Error =>
  error instanceof Error ||
  (typeof error === 'object' && error !== null && 'message' in error && 'name' in error);
