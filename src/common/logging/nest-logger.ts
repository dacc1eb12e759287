import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Hands Nest's own messages to pino; Nest passes the context as the last argument. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  /** Nest tells every route and module it mounts: that is for development. */
  log(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
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
    level: 'fatal' | 'error' | 'warn' | 'debug' | 'trace',
    message: unknown,
    rest: unknown[],
  ): void {
    const context = rest.at(-1);
    const about = typeof context === 'string' ? { context } : {};
    if (message instanceof Error) {
      this.logger[level]({ ...about, err: message });
    } else {
      this.logger[level](about, String(message));
    }
  }
}
