import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { readSummary } from '../../../reading-list/list-summaries.js';
import { type ListView } from '../../../reading-list/views/list-view.js';
import { STATES } from '../../../reading-list/views/view-states.js';
import type { PageOfList } from '../list/list.view.js';

/** Decides whether the list shows the first steps instead of the message that it is empty. */
@Injectable()
export class FirstSteps {
  constructor(private readonly database: Database) {}

  /** Returns true if the page shows the unread items of a user who has no items at all. */
  async areShown(userId: string, view: ListView, page: PageOfList): Promise<boolean> {
    const isFirstPage = page.firstHref === undefined;
    const isUnfiltered = view.state === STATES.unread && page.narrowings.length === 0;
    if (page.items.length > 0 || !isFirstPage || !isUnfiltered) {
      return false;
    }
    return (await readSummary(this.database.manager, userId)).item_count === 0;
  }
}
