import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';

import type { MonitoringSettings } from '../config/monitoring-settings.js';

const STANDARD_ERROR = 2;

/** Escape sequences could change what a terminal shows. Line breaks and tabs stay. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g;

/** A time in UTC, as in the JSON lines. */
const TIME_FORMAT = `UTC:yyyy-mm-dd'T'HH:MM:ss.l'Z'`;

const escaped = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const standardError = () => pino.destination({ fd: STANDARD_ERROR, sync: true });

/** Returns the standard error stream, which converts the JSON lines of the logger to text if LOG_FORMAT is `text`. */
export async function logDestination({
  logFormat,
}: Pick<MonitoringSettings, 'logFormat'>): Promise<DestinationStream> {
  const stream = standardError();
  if (logFormat === 'json') {
    return stream;
  }
  const textOf = await lineFormatter();
  return { write: (line) => stream.write(textOf(line)) };
}

/** Returns a function that converts a JSON line to a line for people. It loads pino-pretty. */
export async function lineFormatter(): Promise<(line: string) => string> {
  const { prettyFactory } = await import('pino-pretty');
  const textOf = prettyFactory({ colorize: false, singleLine: true, translateTime: TIME_FORMAT });
  return (line) => textOf(line).replaceAll(CONTROL, escaped);
}

/**
 * Creates a logger that writes one JSON object per line to standard error, because standard output is reserved for the
 * results of commands. If the service has several processes, each line contains the name of its process.
 */
export function createLogger(
  level: string,
  processName?: string,
  destination: DestinationStream = standardError(),
): Logger {
  const base = processName === undefined ? null : { process: processName };
  const err = pino.stdSerializers.wrapErrorSerializer(withoutValues);
  return pino(
    { level, base, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err } },
    destination,
  );
}

const LOGGED = new Set(['type', 'message', 'stack', 'code', 'query', 'constraint']);

/**
 * Returns those properties of an error that may be logged. Omits the values of a failed query, and the property
 * `detail`, in which PostgreSQL repeats the values.
 */
const withoutValues = (error: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(error).filter(([name]) => LOGGED.has(name)));

/** Forwards the log messages of Nest to pino. Nest passes the name of the class that logs as the last argument. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  /**
   * Logs an object as `info`, because objects contain facts for operators. Logs text as `debug`, because Nest logs
   * every route and module as text.
   */
  log(message: unknown, ...rest: unknown[]): void {
    this.write(isFacts(message) ? 'info' : 'debug', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  private write(
    level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace',
    message: unknown,
    rest: unknown[],
  ): void {
    const context = rest.at(-1);
    const about = typeof context === 'string' ? { context } : {};
    if (message instanceof Error) {
      this.logger[level]({ ...about, err: message });
    } else if (isFacts(message)) {
      this.logger[level]({ ...about, ...message });
    } else {
      this.logger[level](about, String(message));
    }
  }
}

const isFacts = (message: unknown): message is object =>
  typeof message === 'object' && message !== null && !(message instanceof Error);
