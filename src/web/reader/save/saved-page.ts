import { Injectable } from '@nestjs/common';

import { Clock } from '../../../platform/common/clock.js';
import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import { resolvedTitleOf } from '../../../reading-list/get/page.presenter.js';
import { normalAddress, withRoute } from '../../../reading-list/list/address.js';
import { ItemRepository } from '../../../reading-list/list/item.repository.js';
import { ItemNotFoundError } from '../../../reading-list/reading-list.errors.js';
import { SuggestionsService } from '../../../reading-list/suggestions/suggestions.service.js';
import { type ShownPage, Template } from '../../template.js';
import { type DoneNotice, doneNoticeOf } from '../done-notice.js';
import type { SaveVisit } from './save-pages.js';
import { savedPath, saveFactsIn } from './saved-path.js';

const MOST_SUGGESTIONS = 8;
const MS = 1000;
/** The time in which a save can be undone. */
const UNDO_SECONDS = 3600;

interface SavedItem {
  readonly itemId: string;
  readonly title: string;
  readonly url: string;
  readonly site: string;
  /** The tags of the item, separated by commas. */
  readonly tags: string;
}

interface SavedModel extends SavedItem {
  /** The address of this page, for links from other pages back to it. */
  readonly path: string;
  readonly done: DoneNotice | undefined;
  /** The time of the previous save. Undefined if the address of this page is without one. */
  readonly since: Date | undefined;
  readonly wasArchived: boolean;
  /** True if the item is new, so that deleting it only undoes the save. */
  readonly canUndo: boolean;
  readonly suggestions: readonly string[];
}

const savedPage = new Template<SavedModel>('reader/save/saved', { kind: 'reader' });

/** Shows the result of saving a page. On this page, the user can read, tag, archive or delete the item. */
@Injectable()
export class SavedPage {
  constructor(
    private readonly items: ItemRepository,
    private readonly suggestions: SuggestionsService,
    private readonly clock: Clock,
  ) {}

  /** @throws ItemNotFoundError */
  async show({ user, request }: SaveVisit, itemId: string): Promise<ShownPage> {
    const row = (await this.items.rowsById(user.id, [itemId])).get(itemId);
    if (row === undefined) {
      throw new ItemNotFoundError();
    }
    const facts = saveFactsIn(request.query);
    const { before } = facts;
    const suggested = await this.suggestions.suggest(user.id, { itemId });
    return savedPage.page({
      path: savedPath(itemId, facts),
      done: doneNoticeOf(request.query),
      since: before && new Date(before.timeAdded * MS),
      wasArchived: before?.isArchived === true,
      canUndo: facts.isNew && this.isRecent(row),
      ...itemOf(row),
      suggestions: suggested.slice(0, MOST_SUGGESTIONS).map(({ tag }) => tag),
    });
  }

  /** Returns false for items that were saved long ago, because anyone can change the address of this page. */
  private isRecent({ time_added: timeAdded }: ItemRow): boolean {
    return this.clock.seconds() - Number(timeAdded) < UNDO_SECONDS;
  }
}

/**
 * Returns the properties of the saved item. `url` is the normalised address, because a browser would open an address
 * without a scheme as a path of this service.
 */
function itemOf(row: ItemRow): SavedItem {
  const { pageUrl = '', domain = '' } = normalAddress(row.given_url) ?? {};
  return {
    itemId: row.item_id,
    title: resolvedTitleOf(row),
    url: withRoute(pageUrl, row.given_url),
    site: domain,
    tags: row.tags.join(', '),
  };
}
