import { randomUUID } from 'node:crypto';

import type { EntityManager } from 'typeorm';

import { compressedText } from '../../common/compressed-text.js';
import { run } from '../../database/statements.js';

/** A page as the client's browser saw it, perhaps behind a login. */
export interface SentPage {
  readonly html: string;
  /** Of what was sent for one item, only the last is wanted. */
  readonly version: string;
  readonly stored: Buffer;
}

export interface SentFor {
  readonly userId: string;
  readonly itemId: string;
  readonly url: string;
}

/** Whoever took it parses it within this time, or somebody else will. */
const INSERT = `
    INSERT INTO sent_pages (user_id, item_id, version, url, html, leased_until)
    VALUES ($1, $2, $3, $4, $5, now() + interval '60 seconds')
    ON CONFLICT (user_id, item_id) DO UPDATE SET version = excluded.version, url = excluded.url, html = excluded.html,
      attempts = excluded.attempts, leased_until = excluded.leased_until`;

export const sentPage = async (html: string): Promise<SentPage> => ({
  html,
  version: randomUUID(),
  stored: await compressedText(html),
});

/** Keeps the page until it is parsed, whatever becomes of this process. */
export async function keepSentPage(
  manager: EntityManager,
  { userId, itemId, url }: SentFor,
  { version, stored }: SentPage,
): Promise<void> {
  await run(manager, { text: INSERT, values: [userId, itemId, version, url, stored] });
}
