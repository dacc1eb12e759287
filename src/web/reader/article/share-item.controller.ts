import { Param, Post, Req, UseInterceptors } from '@nestjs/common';
import type { Request } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { fieldProblem, ValidationFailedError } from '../../../platform/common/common.errors.js';
import { textOf } from '../../../platform/common/request-fields.js';
import type { Answer } from '../../../platform/http/answer.js';
import { LinkEndedError } from '../../../reading-list/reading-list.errors.js';
import type { ShareTerms } from '../../../reading-list/sharing/shared-item.repository.js';
import { Sharing } from '../../../reading-list/sharing/sharing.service.js';
import { Page } from '../../page.js';
import { doneAnswer } from '../done-notice.js';
import { articlePaths } from '../list/list-origin.js';
import { itemIdOf } from './article.controller.js';
import { MovedItems } from './moved-items.interceptor.js';

type Expiry = ShareTerms['days'];

/** The values of the form field `days`. */
const EXPIRIES: ReadonlyMap<string, Expiry> = new Map<string, Expiry>([
  ['never', 'never'],
  ['same', 'same'],
  ['1', 1],
  ['7', 7],
  ['30', 30],
]);

/** Creates, changes and revokes the public link of an item. */
@Page('read/:id/share')
@UseInterceptors(MovedItems)
export class ShareItemController {
  constructor(private readonly sharing: Sharing) {}

  @Post()
  async share(
    @CurrentUser() { id: userId }: User,
    @Param('id') id: string,
    @Req() request: Request,
  ): Promise<Answer> {
    const itemId = itemIdOf(id);
    const pathAfter = articlePaths(request.query, itemId);
    const includesNote = textOf(request.body, 'note') !== '';
    const terms = { days: daysIn(request.body), includesNote };
    const done = await this.sharing.share({ userId, itemId }, terms).then(() => 'shared', ended);
    return doneAnswer(request, `${pathAfter(done)}#share`);
  }

  @Post('revoke')
  async revoke(
    @CurrentUser() { id: userId }: User,
    @Param('id') id: string,
    @Req() request: Request,
  ): Promise<Answer> {
    const itemId = itemIdOf(id);
    const pathAfter = articlePaths(request.query, itemId);
    await this.sharing.revoke(userId, [itemId]);
    return doneAnswer(request, pathAfter('unshared'));
  }
}

/** Returns the notice for a form that changes a link after its end. Rethrows all other errors. */
function ended(error: unknown): 'link-ended' {
  if (error instanceof LinkEndedError) {
    return 'link-ended';
  }
  throw error;
}

/** @throws ValidationFailedError if the form does not offer the number of days */
function daysIn(body: unknown): Expiry {
  const days = EXPIRIES.get(textOf(body, 'days'));
  if (days === undefined) {
    throw new ValidationFailedError([fieldProblem('days', 'must be never, same, 1, 7 or 30')]);
  }
  return days;
}
