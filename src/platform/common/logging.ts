import { randomUUID } from 'node:crypto';

import type { LoggerService } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { type DestinationStream, type Logger, pino } from 'pino';

const STANDARD_ERROR = 2;

/**
 * Creates a logger that writes one JSON object per line to standard error, because standard output is reserved for the
 * results of commands. If the service has several processes, each line contains the name of its process.
 */
export function createLogger(
  level: string,
  processName?: string,
  destination: DestinationStream = pino.destination({ fd: STANDARD_ERROR, sync: true }),
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

/**
 * Matches the secret token in the address of a feed, in a public link, in the address of a public list, or in a link that
 * turns off a digest. The token is not logged, because it gives access to a user's list, article or setting.
 */
const SECRET_TOKEN = /(\/(?:feeds|unsubscribe|shared(?:\/+lists)?|wallabag\/+share)\/+)[^/]+/i;

const ESCAPED = /%([0-7][\da-f])/gi;
/**
 * The maximum number of times that percent-escapes in a path are decoded to find tokens. If the decoded path still
 * contains an escape, the path is logged only up to this escape.
 */
const MOST_ESCAPES = 4;

/**
 * Removes the token of a feed, a public link or a public list from a path. Also finds the token if the path is mistyped or
 * needlessly percent-encoded.
 */
function withoutTokens(path: string): string {
  let plain = path;
  for (let time = 0; time < MOST_ESCAPES; time += 1) {
    plain = plain.replaceAll(ESCAPED, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    );
  }
  if (SECRET_TOKEN.test(plain)) {
    return plain.replace(SECRET_TOKEN, '$1…');
  }
  const still = plain.search(ESCAPED);
  return still < 0 ? path : `${plain.slice(0, still)}…`;
}

declare module 'http' {
  interface IncomingMessage {
    /** Returns a logger that adds the id of the request to each line. */
    log(): Logger;
  }
}

/**
 * Assigns an id to every request, returns the id as `X-Request-Id`, and logs one line when the request ends. Does not
 * log headers, bodies and query strings, because they contain passwords, tokens and keys.
 */
export function requestLog(logger: Logger): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    const begin = performance.now();
    const reqId = randomUUID();
    const { method, path, ip: from } = request;
    response.setHeader('X-Request-Id', reqId);
    request.log = () => logger.child({ reqId });
    response.once('close', () => {
      logger.info(
        {
          reqId,
          req: { method, path: withoutTokens(path), from },
          res: { status: response.statusCode },
          responseTime: Math.round(performance.now() - begin),
        },
        'request',
      );
    });
    next();
  };
}
