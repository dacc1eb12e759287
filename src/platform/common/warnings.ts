import { Injectable, Logger } from '@nestjs/common';

/** Callers use few keys. This bounds the memory if a key contains text of a server. */
const MAX_KEYS = 200;

/** Warnings about settings that do not fit what the service receives: once each, not with every request. */
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

  /** Warns again next time about everything whose key begins with the prefix. */
  forget(prefix: string): void {
    this.keys.forEach((key) => {
      if (key.startsWith(prefix)) {
        this.keys.delete(key);
      }
    });
  }
}
