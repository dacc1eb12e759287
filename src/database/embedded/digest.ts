import { createHash } from 'node:crypto';

/** A short name for a long path. */
export const digest = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);
