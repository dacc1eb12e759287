import { hash } from 'node:crypto';

import type { ItemMedia } from '../entities/page-columns.js';

export type Author = ItemMedia['authors'][number];

/**
 * The smallest author id. It is larger than 2^32, because JavaScript would sort smaller object keys and so change the
 * order of the authors.
 */
const FIRST_AUTHOR_ID = 2 ** 33;

/** Returns an author with an id that depends only on the name and the host of the page. */
export function authorAt(host: string, name: string, url = ''): Author {
  const digest = hash('sha256', `${host}/${name.toLowerCase()}`, 'buffer');
  return { id: String(FIRST_AUTHOR_ID + digest.readUIntBE(0, 6)), name, url };
}
