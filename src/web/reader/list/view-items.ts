import { Injectable } from '@nestjs/common';

import { Clock } from '../../../platform/common/clock.js';
import { ValidationFailedError } from '../../../platform/common/common.errors.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { message } from '../../../platform/i18n/message.js';
import { parseRequest } from '../../../pocket-api/parse-request.js';
import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import { ListReader } from '../../../reading-list/get/list-reader.js';
import type { RequestedItem } from '../../../reading-list/pages/page-requests.js';
import { isOfTexts, type ListView } from '../../../reading-list/views/list-view.js';
import { ListRequest } from '../../../reading-list/views/view.request.js';
import { FILTERS } from '../../../reading-list/views/view-filters.js';
import { wantedOf } from '../../../reading-list/views/view-query.js';
import { NEWEST, RELEVANCE } from '../../../reading-list/views/view-sorts.js';
import { InvalidPageRequestError } from '../../pages.errors.js';
import { byTitles } from './list-links.js';

/**
 * A placeholder, because a query requires page parameters. `ListReader.rows` ignores the parameters
 * and reads all items.
 */
const EVERY_PAGE = { count: 0, offset: 0 };
const ONE_ITEM = { count: 1, offset: 0 };

const SECONDS = /^\d{1,12}$/;

/** The items that an action on a whole view changes. */
export interface SelectedView {
  readonly view: ListView;
  /** The time at which the user saw the view, in Unix seconds. The action does not change items that were added later. */
  readonly shownAt: number;
}

/** Reads all items of a view of the list, not only the items of one page. */
@Injectable()
export class ViewItems {
  /** The maximum number of items that one action on a whole view changes. The rest needs another action. */
  readonly mostIds: number = 5000;

  constructor(
    private readonly lists: ListReader,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the items of a view. If a full-text search finds no items, searches only titles and addresses, as the list
   * page does. Returns undefined if there are no items.
   */
  async rows(userId: string, view: ListView): Promise<AsyncIterable<ItemRow> | undefined> {
    for (const searched of isOfTexts(view) ? [view, byTitles(view)] : [view]) {
      const rows = this.lists.rows(userId, wantedOf(searched, EVERY_PAGE, this.clock.now()));
      const first = await rows.next();
      if (first.done !== true) {
        return startingWith(first.value, rows);
      }
    }
    return undefined;
  }

  /** Returns the ids of the items of a view, at most `mostIds`. `hasMore` is true if the view has more items. */
  async ids(
    userId: string,
    { view, shownAt }: SelectedView,
  ): Promise<{ readonly itemIds: readonly string[]; readonly hasMore: boolean }> {
    const itemIds: string[] = [];
    for await (const row of (await this.rows(userId, unranked(view))) ?? []) {
      if (itemIds.length === this.mostIds) {
        return { itemIds, hasMore: true };
      }
      if (Number(row.time_added) <= shownAt) {
        itemIds.push(row.item_id);
      }
    }
    return { itemIds, hasMore: false };
  }

  /**
   * Yields the items of the view at an address whose pages could not be fetched. Yields those of the whole list if the
   * address is not of the list.
   * @throws ValidationFailedError if a parameter of the address is invalid
   */
  async *failedAt(userId: string, page: URL): AsyncGenerator<RequestedItem> {
    const view = viewAt(page) ?? parseRequest(ListRequest, { state: 'all' }).toView();
    const choices = { ...view.choices, failed: FILTERS.failed.choices.yes };
    for await (const row of (await this.rows(userId, unranked({ ...view, choices }))) ?? []) {
      yield { itemId: row.item_id, givenUrl: row.given_url };
    }
  }

  /**
   * Returns the number of items in the view at an address. Undefined if the list page does not show their number, or if
   * the address is invalid.
   */
  async totalAt(userId: string, page: URL): Promise<number | undefined> {
    const view = validViewAt(page);
    const wanted = view && wantedOf(view, ONE_ITEM, this.clock.now());
    return wanted?.withTotal === true ? (await this.lists.page(userId, wanted)).total : undefined;
  }
}

/** Ranked results have no positions. Their pages would shift if the list changed in the meantime. */
const unranked = (view: ListView): ListView =>
  view.sort === RELEVANCE ? { ...view, sort: NEWEST } : view;

function validViewAt(page: URL): ListView | undefined {
  try {
    return viewAt(page);
  } catch (error) {
    if (error instanceof ValidationFailedError) {
      return undefined;
    }
    throw error;
  }
}

async function* startingWith(
  first: ItemRow,
  others: AsyncIterable<ItemRow>,
): AsyncGenerator<ItemRow> {
  yield first;
  yield* others;
}

/**
 * Returns the view that a form selects as a whole.
 * @throws ValidationFailedError if the form is not from a page of the list
 */
export function selectedViewIn(body: unknown, back: URL): SelectedView {
  const view = viewAt(back);
  const shown = textOf(body, 'shown');
  if (view === undefined || !SECONDS.test(shown)) {
    throw new InvalidPageRequestError(message('errors.listAddress'));
  }
  return { view, shownAt: Number(shown) };
}

/**
 * Returns the view of the list at an address. Returns undefined for addresses of other pages.
 * @throws ValidationFailedError if a parameter of the address is invalid
 */
export const viewAt = ({ pathname, searchParams }: URL): ListView | undefined =>
  pathname === '/list'
    ? parseRequest(ListRequest, Object.fromEntries(searchParams)).toView()
    : undefined;
