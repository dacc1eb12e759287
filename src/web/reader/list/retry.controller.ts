import { Post, Req } from '@nestjs/common';
import type { Request } from 'express';

import { FailedPages } from '../../../articles/failed-pages.service.js';
import { AnotherAttempt } from '../../../articles/resolver/another-attempt.service.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { fieldProblem, ValidationFailedError } from '../../../platform/common/common.errors.js';
import { isId, textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { ItemRepository } from '../../../reading-list/list/item.repository.js';
import { ItemNotFoundError } from '../../../reading-list/reading-list.errors.js';
import { LOCAL, localUrl, pathOf } from '../../local-path.js';
import { Page } from '../../page.js';
import { withNotice } from '../done-notice.js';
import { ViewItems } from './view-items.js';

const FAILED = new URL('/list?state=failed', LOCAL);

/** Fetches pages again that could not be fetched. */
@Page('list/retry')
export class RetryController {
  constructor(
    private readonly items: ItemRepository,
    private readonly attempts: AnotherAttempt,
    private readonly failed: FailedPages,
    private readonly views: ViewItems,
  ) {}

  /**
   * Fetches the page of the item in the field `one` again. Without this field, fetches all failed pages of the view from
   * which the form is, on all pages of the view.
   */
  @Post()
  async retry(@CurrentUser() { id: userId }: User, @Req() { body }: Request): Promise<Answer> {
    const one = textOf(body, 'one');
    const back = localUrl(textOf(body, 'back')) ?? FAILED;
    if (one !== '') {
      const isTried = await this.retryOne(userId, one.replace(/^retry:/, ''));
      return redirect(pathOf(withNotice(back, isTried ? 'retry' : 'wait')));
    }
    await this.failed.retryAll(userId, this.views.failedAt(userId, back));
    return redirect(pathOf(withNotice(back, 'retry-all')));
  }

  private async retryOne(userId: string, itemId: string): Promise<boolean> {
    if (!isId(itemId)) {
      throw new ValidationFailedError([fieldProblem('one', 'must be the id of an item')]);
    }
    const row = await this.items.rowOf(userId, itemId);
    if (row === undefined) {
      throw new ItemNotFoundError();
    }
    return this.attempts.request(userId, { itemId: row.item_id, givenUrl: row.given_url });
  }
}
