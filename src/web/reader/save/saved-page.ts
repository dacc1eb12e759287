import { Injectable } from '@nestjs/common';

import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import { resolvedTitleOf } from '../../../reading-list/get/page.presenter.js';
import { normalAddress, withRoute } from '../../../reading-list/list/address.js';
import { ItemRepository } from '../../../reading-list/list/item.repository.js';
import { ItemNotFoundError } from '../../../reading-list/reading-list.errors.js';
import { SuggestionsService } from '../../../reading-list/suggestions/suggestions.service.js';
import { csrfTokenOf } from '../../csrf.guard.js';
import { Pages, READER_POLICY } from '../../pages.js';
import type { Views } from '../../views.js';
import { doneNoticeOf } from '../done-notice.js';
import type { SaveVisit } from './save-pages.js';

const MOST_SUGGESTIONS = 8;

/** Shows the result of saving a page. The user can then read, tag, archive or delete the item. */
@Injectable()
export class SavedPage {
  constructor(
    private readonly pages: Pages,
    private readonly items: ItemRepository,
    private readonly suggestions: SuggestionsService,
  ) {}

  /** @throws ItemNotFoundError */
  async show({ user, request, response }: SaveVisit, itemId: string): Promise<void> {
    const row = (await this.items.rowsById(user.id, [itemId])).get(itemId);
    if (row === undefined) {
      throw new ItemNotFoundError();
    }
    const suggested = await this.suggestions.suggest(user.id, { itemId });
    const model: Views['reader/saved'] = {
      csrfToken: csrfTokenOf(request),
      section: 'save',
      path: `/save/done?item=${itemId}`,
      done: doneNoticeOf(request.query),
      ...partsOf(row),
      suggestions: suggested.slice(0, MOST_SUGGESTIONS).map(({ tag }) => tag),
    };
    this.pages.show(response, 'reader/saved', model, { policy: READER_POLICY });
  }
}

/**
 * Returns the properties of the saved item. Uses the normalised address, because a link without a scheme would open a
 * page of this service.
 */
function partsOf(
  row: ItemRow,
): Pick<Views['reader/saved'], 'itemId' | 'title' | 'url' | 'site' | 'tags'> {
  const { pageUrl = '', domain = '' } = normalAddress(row.given_url) ?? {};
  return {
    itemId: row.item_id,
    title: resolvedTitleOf(row),
    url: withRoute(pageUrl, row.given_url),
    site: domain,
    tags: row.tags.join(', '),
  };
}
