import { hash } from 'node:crypto';

import type { ItemMedia } from '../entities/item.entity.js';

export type Author = ItemMedia['authors'][number];

/** Ids above 2^32 are not array indexes, so JavaScript objects keep authors in their order. */
const FIRST_AUTHOR_ID = 2 ** 33;

/** Returns the author with an id that depends on the name and the host only. */
export function authorAt(host: string, name: string, url = ''): Author {
  const digest = hash('sha256', `${host}/${name.toLowerCase()}`, 'buffer');
  return { id: String(FIRST_AUTHOR_ID + digest.readUIntBE(0, 6)), name, url };
}
