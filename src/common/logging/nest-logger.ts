import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Hands Nest's own messages to pino; Nest passes the context as the last argument. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  /** Nest tells in words every route and module it mounts: that is for development. Facts are for operators. */
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
