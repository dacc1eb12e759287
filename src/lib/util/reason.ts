/** Returns the message of an error, followed by the messages of its causes, as one text. */
export function reasonOf(error: unknown): string {
  const [message, ...causes] = messagesOf(error);
  return causes.reduce(
    (text, cause) => (text.includes(cause) ? text : `${text}: ${cause}`),
    message ?? '',
  );
}

/**
 * The maximum number of nested causes whose messages are read. The number is limited, because the causes of an error
 * may form a circle.
 */
const MOST_CAUSES = 5;

function messagesOf(error: unknown, depth = 1): string[] {
  if (!isError(error)) {
    return [String(error)];
  }
  // If no address of a host is reachable, Node's error has no message, but contains one error for each address.
  const own = error.message || listOf(error);
  const further =
    error.cause === undefined || depth === MOST_CAUSES ? [] : messagesOf(error.cause, depth + 1);
  return own === '' && further.length === 0 ? [error.name] : [own, ...further].filter(Boolean);
}

const listOf = (error: Error): string =>
  error instanceof AggregateError ? error.errors.map((one) => reasonOf(one)).join(', ') : '';

/**
 * Returns true if a value is an error. In tests, `instanceof` is not enough, because errors of sockets and files belong
 * to another JavaScript realm than the test.
 */
const isError = (error: unknown): error is Error =>
  error instanceof Error ||
  (typeof error === 'object' && error !== null && 'message' in error && 'name' in error);
