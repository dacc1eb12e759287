import { Injectable } from '@nestjs/common';
import { getDomain } from 'tldts';

import type { ItemRow } from '../entities/item.entity.js';
import { type Address, normalAddress } from '../list/address.js';
import { ItemRepository } from '../list/item.repository.js';
import type { ItemReference } from '../list/list-state.js';
import { type PageToTag, type SuggestedTag, TagRepository } from '../list/tag.repository.js';
import { ItemNotFoundError } from '../reading-list.errors.js';

/** Suggests tags for an item. Each suggestion is an existing tag of the user. */
@Injectable()
export class SuggestionsService {
  constructor(
    private readonly items: ItemRepository,
    private readonly tags: TagRepository,
  ) {}

  /**
   * Returns the tags of the user that fit the item, the best one first.
   *
   * @throws ItemNotFoundError if the list has no item with the given id.
   */
  async suggest(userId: string, reference: ItemReference): Promise<SuggestedTag[]> {
    if ('address' in reference) {
      const row = await this.items.rowAt(userId, reference.address);
      return this.tags.suggest(userId, untagged(reference.address, row));
    }
    const found = await this.items.rowsById(userId, [reference.itemId]);
    const row = found.get(reference.itemId);
    if (row === undefined) {
      throw new ItemNotFoundError();
    }
    return this.tags.suggest(userId, untagged(normalAddress(row.given_url), row));
  }
}

/**
 * Returns the page to compare with tagged items. Uses the registrable domain instead of the host, because the hosts
 * `www.`, `blog.` and `news.` of one domain usually have the same tags.
 */
const untagged = (address: Address | undefined, row: ItemRow | undefined): PageToTag => ({
  itemId: row?.item_id ?? '0',
  domain: siteOf(address?.domain ?? ''),
  titles: row === undefined ? [] : [row.given_title, row.resolved_title],
  tags: row?.tags ?? [],
});

const siteOf = (host: string): string => getDomain(host) ?? host;
