/**
 * Returns the reason of a failure as one text. The text contains the message of the error, and then the messages of its
 * causes.
 */
export function reasonOf(error: unknown): string {
  const [message, ...causes] = messagesOf(error);
  return causes.reduce(
    (text, cause) => (text.includes(cause) ? text : `${text}: ${cause}`),
    message ?? '',
  );
}

/** The maximum number of causes. The limit is necessary because causes may refer to each other in a circle. */
const MOST_CAUSES = 5;

function messagesOf(error: unknown, depth = 1): string[] {
  if (!isError(error)) {
    return [String(error)];
  }
  // If a host with several addresses cannot be reached, the error has no message, but contains an error for each
  // address.
  const own = error.message || listOf(error);
  const further =
    error.cause === undefined || depth === MOST_CAUSES ? [] : messagesOf(error.cause, depth + 1);
  return own === '' && further.length === 0 ? [error.name] : [own, ...further].filter(Boolean);
}

const listOf = (error: Error): string =>
  error instanceof AggregateError ? error.errors.map((one) => reasonOf(one)).join(', ') : '';

/**
 * Returns true for an error. `instanceof` is not enough in tests, because Node creates errors of sockets and files
 * outside the context of a test.
 */
const isError = (error: unknown): error is Error =>
  error instanceof Error ||
  (typeof error === 'object' && error !== null && 'message' in error && 'name' in error);
