import { Controller, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { Public } from '../../../platform/http/public.js';
import { DeletionsService } from '../../../reading-list/deletions/deletions.service.js';
import type { ActionOutcome } from '../../../reading-list/list/action-outcome.js';
import { ItemNotFoundError } from '../../../reading-list/reading-list.errors.js';
import { SendService } from '../../../reading-list/send/send.service.js';
import { CsrfGuard } from '../../csrf.guard.js';
import { pathOf } from '../../local-path.js';
import { PageErrorFilter, wantsJson } from '../../page-error.filter.js';
import { goTo } from '../../pages.js';
import { VisitorGuard } from '../../visitors.js';
import { withDone } from '../done-notice.js';
import { type ActionForm, actionFormOf } from './list-actions.request.js';

/** Runs the actions that forms and scripts of the reader send. The rules are the same as in the API. */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(VisitorGuard, CsrfGuard)
@Controller('list')
export class ListActionsController {
  constructor(
    private readonly sending: SendService,
    private readonly deletions: DeletionsService,
  ) {}

  @Post('actions')
  async act(
    @CurrentUser() { id: userId }: User,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = actionFormOf(request.body);
    if (form.action === 'edit_tags') {
      goTo(response, tagsPath(form));
      return;
    }
    const outcomes = await this.done(userId, form);
    if (wantsJson(request)) {
      response.status(200).json({ results: outcomes.map(({ ok }) => ok) });
      return;
    }
    const changed = form.itemIds.filter((_, at) => outcomes[at]?.ok === true);
    if (changed.length === 0) {
      throw refusalOf(outcomes);
    }
    goTo(response, pathOf(withDone(form.back, form.action, changed)));
  }

  private done(userId: string, { action, itemIds, tags }: ActionForm): Promise<ActionOutcome[]> {
    if (action === 'delete') {
      return this.deletions.delete(userId, itemIds);
    }
    if (action === 'undo_delete') {
      return this.deletions.undo(userId, itemIds);
    }
    const named = action.startsWith('tags_') ? { tags } : {};
    const elements = itemIds.map((itemId) => ({ action, item_id: itemId, ...named }));
    return this.sending.send(userId, elements, false);
  }
}

function tagsPath({ itemIds: [item = ''], back }: ActionForm): string {
  return `/list/tags?${new URLSearchParams({ item, back: pathOf(back) }).toString()}`;
}

const NOT_FOUND = 198;

/** Returns the error to show if no item was changed. */
function refusalOf(outcomes: readonly ActionOutcome[]): Error {
  const refusals = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.refusal]));
  const [first] = refusals.filter(({ code }) => code !== NOT_FOUND);
  return first === undefined ? new ItemNotFoundError() : first.error;
}
