import { Injectable, Logger } from '@nestjs/common';

/** Limits the memory. Callers use few keys, but a key may contain text from a server. */
const MAX_KEYS = 200;

/** Logs each warning only once, such as a setting that does not fit the received requests. */
@Injectable()
export class Warnings {
  private readonly logger = new Logger(Warnings.name);
  private readonly keys = new Set<string>();

  /** Logs the warning, unless one with the same key was logged before. */
  once(key: string, text: string): void {
    if (!this.keys.has(key) && this.keys.size < MAX_KEYS) {
      this.keys.add(key);
      this.logger.warn(text);
    }
  }

  /** Forgets the warnings whose keys start with the prefix, so that they can be logged again. */
  forget(prefix: string): void {
    this.keys.forEach((key) => {
      if (key.startsWith(prefix)) {
        this.keys.delete(key);
      }
    });
  }
}
