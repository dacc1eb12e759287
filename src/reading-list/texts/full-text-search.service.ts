import { Injectable } from '@nestjs/common';

import { ListReader } from '../get/get.service.js';
import type { ItemFilter, ItemsFound, ItemsWanted, PageOfItems } from '../query/items-wanted.js';
import { Passages, type PassagesByItem } from './passages.service.js';

/** What is looked for, and among which items. */
export interface TextSearch {
  /** Words, "phrases", -exclusions, or; of any length and kind. */
  readonly text: string;
  readonly filter?: Omit<ItemFilter, 'text' | 'search'>;
  /** Counted from the beginning: what is found by rank has no positions. */
  readonly page: Pick<PageOfItems, 'count' | 'offset'>;
  /** Absent: what is most about the text comes first. */
  readonly order?: ItemsWanted['order'];
  readonly withTotal?: boolean;
}

export interface TextsFound extends ItemsFound {
  readonly passages: PassagesByItem;
}

/** Search in titles, addresses and articles, for people (docs/decisions/0061). */
@Injectable()
export class FullTextSearch {
  constructor(
    private readonly list: ListReader,
    private readonly passages: Passages,
  ) {}

  /** The items that were found, with the passages of their articles. Throws ServiceBusyError. */
  async find(userId: string, search: TextSearch): Promise<TextsFound> {
    const { text, filter = {}, page, order, withTotal = false } = search;
    const wanted = { filter: { ...filter, text }, page, withTotal };
    const found = await this.list.page(userId, {
      ...wanted,
      order: order ?? 'newest',
      isRanked: order === undefined,
    });
    return { ...found, passages: await this.passages.of(userId, text, found.rows) };
  }
}
