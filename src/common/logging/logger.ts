import { type DestinationStream, type Logger, pino } from 'pino';

const STANDARD_ERROR = 2;

/** Writes one JSON object a line to standard error, so that standard output is free for answers. */
export function createLogger(
  level: string,
  destination: DestinationStream = pino.destination({ fd: STANDARD_ERROR, sync: true }),
): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
