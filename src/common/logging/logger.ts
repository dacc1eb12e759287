import { type DestinationStream, type Logger, pino } from 'pino';

const STANDARD_ERROR = 2;

/** Writes one JSON object a line to standard error, so that standard output is free for answers. */
export function createLogger(
  level: string,
  destination: DestinationStream = pino.destination({ fd: STANDARD_ERROR, sync: true }),
): Logger {
  const err = pino.stdSerializers.wrapErrorSerializer(withoutValues);
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err } },
    destination,
  );
}

const LOGGED = new Set(['type', 'message', 'stack', 'code', 'query', 'constraint']);

/** An error as it is logged: the values of a failed query, which PostgreSQL repeats in `detail`, stay out. */
export const withoutValues = (error: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(error).filter(([name]) => LOGGED.has(name)));
