import { Injectable, Logger } from '@nestjs/common';

/**
 * The maximum number of warning keys in memory. The number is limited, because a key may contain text that another
 * server has sent.
 */
const MAX_KEYS = 200;

/** Logs a warning only once, even if its cause occurs with every request. */
@Injectable()
export class Warnings {
  private readonly logger = new Logger(Warnings.name);
  private readonly keys = new Set<string>();

  /** Logs the warning, unless a warning with this key was logged before. */
  once(key: string, text: string): void {
    if (!this.keys.has(key) && this.keys.size < MAX_KEYS) {
      this.keys.add(key);
      this.logger.warn(text);
    }
  }

  /** Deletes all keys with the prefix, so that warnings with these keys can be logged again. */
  forget(prefix: string): void {
    this.keys.forEach((key) => {
      if (key.startsWith(prefix)) {
        this.keys.delete(key);
      }
    });
  }
}
