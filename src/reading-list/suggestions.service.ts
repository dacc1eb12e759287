import { Injectable } from '@nestjs/common';
import { getDomain } from 'tldts';

import { Database } from '../database/database.js';
import { type Address, normalAddress } from './list/address.js';
import { findItemAt, findItems } from './list/find-items.js';
import type { ItemReference } from './list/item-reference.js';
import type { ItemRow } from './list/item-row.js';
import { type SuggestedTag, suggestTags, type Untagged } from './list/suggested-tags.js';
import { ItemNotFoundError } from './reading-list.errors.js';

/** What tags an item may want, from those that its person uses. */
@Injectable()
export class SuggestionsService {
  constructor(private readonly database: Database) {}

  /** Tags of the person that an item may want, the best first. Throws ItemNotFoundError for an unknown id. */
  suggest(userId: string, reference: ItemReference): Promise<SuggestedTag[]> {
    return this.database.read(async (manager) => {
      if ('address' in reference) {
        const row = await findItemAt(manager, userId, reference.address);
        return suggestTags(manager, userId, untagged(reference.address, row));
      }
      const found = await findItems(manager, userId, [reference.itemId]);
      const row = found.get(reference.itemId);
      if (row === undefined) {
        throw new ItemNotFoundError();
      }
      return suggestTags(manager, userId, untagged(normalAddress(row.given_url), row));
    });
  }
}

/** Subdomains count as one site: `www.`, `blog.` and `news.` are tagged alike. */
const untagged = (address: Address | undefined, row: ItemRow | undefined): Untagged => ({
  itemId: row?.item_id ?? '0',
  domain: siteOf(address?.domain ?? ''),
  titles: row === undefined ? [] : [row.given_title, row.resolved_title],
  tags: row?.tags ?? [],
});

const siteOf = (host: string): string => getDomain(host) ?? host;
