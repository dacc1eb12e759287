import { Injectable } from '@nestjs/common';

import { withoutControls } from '../../../lib/util/clean-text.js';
import { Clock } from '../../../platform/common/clock.js';
import { KeyedQueue } from '../../../platform/jobs/keyed-queue.js';
import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import { minutesToRead } from '../../../reading-list/get/item.presenter.js';
import { ListReader } from '../../../reading-list/get/list-reader.js';
import { resolvedTitleOf } from '../../../reading-list/get/page.presenter.js';
import {
  type OpenedList,
  PublicLists,
} from '../../../reading-list/saved-lists/public-lists.service.js';
import { Sharing } from '../../../reading-list/sharing/sharing.service.js';
import { wantedOf } from '../../../reading-list/views/view-query.js';
import { publicNameOf } from '../public-name.js';
import { publicLinkOf, withoutCredentials } from './public-link.js';
import type { SharedListItem, SharedListModel } from './shared-list.view.js';

const PAGE_SIZE = 40;
/** The last page that visitors can open. Later pages of a search would take the database too long. */
const LAST_PAGE = 250;
/**
 * The maximum number of reads for the visitors of one user's lists. It leaves most of the user's reads for the user
 * (list-reader.ts).
 */
const FEW_AT_ONCE = { concurrency: 2, maxCalls: 32 };

/** One page of a public list, with the rows from which a feed is written. */
export interface SharedPage {
  readonly list: OpenedList;
  readonly model: SharedListModel;
  readonly items: readonly SharedItem[];
}

/** An item that visitors may see, and its row. */
export interface SharedItem {
  readonly row: ItemRow;
  readonly shown: SharedListItem;
}

/** Reads public lists for visitors without an account. */
@Injectable()
export class SharedLists {
  private readonly queue = new KeyedQueue(FEW_AT_ONCE);

  constructor(
    private readonly publicLists: PublicLists,
    private readonly reader: ListReader,
    private readonly clock: Clock,
    private readonly sharing: Sharing,
  ) {}

  /**
   * Returns a page of the list that is public at an address. Pages are numbered from 1. Returns undefined if there is
   * no such list or page.
   * @throws ServiceBusyError if too many visitors open lists of the same user
   */
  async page(address: string, number = 1): Promise<SharedPage | undefined> {
    const list = number > LAST_PAGE ? undefined : await this.publicLists.open(address);
    if (list === undefined) {
      return undefined;
    }
    const rows = await this.rows(list, number);
    if (rows.length === 0 && number > 1) {
      return undefined;
    }
    const items = await this.shown(list, rows.slice(0, PAGE_SIZE));
    const hasNext = rows.length > PAGE_SIZE && number < LAST_PAGE;
    return { list, items, model: modelOf(list, items, { number, hasNext }) };
  }

  /** Returns the items that visitors may see. One query finds the public links of all items. */
  private async shown({ owner }: OpenedList, rows: readonly ItemRow[]): Promise<SharedItem[]> {
    const ids = rows.map((row) => row.item_id);
    const tokens = await this.sharing.tokensOf(owner.id, ids);
    return rows.flatMap((row) => {
      const shown = shownItem(row, tokens.get(row.item_id));
      return shown === undefined ? [] : [{ row, shown }];
    });
  }

  /** Returns the rows of a page, and the first row of the next page. */
  private async rows({ view, owner, showsNotes }: OpenedList, number: number): Promise<ItemRow[]> {
    const page = { count: PAGE_SIZE + 1, offset: (number - 1) * PAGE_SIZE };
    const read = wantedOf(view, page, this.clock.now());
    const wanted = { ...read, withTotal: false, withNotes: showsNotes };
    return [...(await this.queue.run(owner.id, () => this.reader.page(owner.id, wanted))).rows];
  }
}

function modelOf(
  { name, owner, address, isIndexed }: OpenedList,
  items: readonly SharedItem[],
  { number, hasNext }: { readonly number: number; readonly hasNext: boolean },
): SharedListModel {
  const path = `/shared/lists/${address}`;
  const pageHref = (page: number): string => (page === 1 ? path : `${path}?page=${page}`);
  return {
    title: name,
    by: publicNameOf(owner),
    items: items.map(({ shown }) => shown),
    feedHref: `${path}.atom`,
    firstHref: number === 1 ? undefined : path,
    previousHref: number === 1 ? undefined : pageHref(number - 1),
    nextHref: hasNext ? pageHref(number + 1) : undefined,
    isUnlisted: !isIndexed,
  };
}

/**
 * Returns the parts of an item that visitors may see. Returns undefined if they may not see the item. `token` is that
 * of the public link of the item.
 */
function shownItem(row: ItemRow, token: string | undefined): SharedListItem | undefined {
  const link = publicLinkOf(row.given_url);
  return (
    link && {
      ...link,
      title: titleOf(row) || link.originalHref,
      minutes: row.is_article === 1 ? Math.max(1, minutesToRead(row.word_count)) : undefined,
      note: textOf(row.note ?? ''),
      readHref: token === undefined ? undefined : `/shared/${token}`,
    }
  );
}

/** Returns the title of an item. Empty if it has none, because the saved address may contain secrets. */
function titleOf(row: ItemRow): string {
  const title = resolvedTitleOf(row);
  return title === row.given_url ? '' : textOf(title);
}

const textOf = (text: string): string => withoutCredentials(withoutControls(text)).trim();
