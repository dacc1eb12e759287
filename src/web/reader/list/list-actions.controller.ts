import { Post, Req } from '@nestjs/common';
import type { Request } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { type Answer, json, redirect } from '../../../platform/http/answer.js';
import { DeletionsService } from '../../../reading-list/deletions/deletions.service.js';
import type { ActionOutcome } from '../../../reading-list/list/action-outcome.js';
import { ItemNotFoundError } from '../../../reading-list/reading-list.errors.js';
import { SendService } from '../../../reading-list/send/send.service.js';
import { pathOf } from '../../local-path.js';
import { Page } from '../../page.js';
import { wantsJson } from '../../page-error.filter.js';
import { withDone } from '../done-notice.js';
import { type ActionForm, actionFormOf } from './list-actions.request.js';

/** Runs the actions that forms and scripts of the reader send. The same rules apply to actions in the API. */
@Page('list')
export class ListActionsController {
  constructor(
    private readonly sending: SendService,
    private readonly deletions: DeletionsService,
  ) {}

  @Post('actions')
  async act(@CurrentUser() { id: userId }: User, @Req() request: Request): Promise<Answer> {
    const form = actionFormOf(request.body);
    if (form.action === 'edit_tags') {
      return redirect(tagsPath(form));
    }
    const outcomes = await this.run(userId, form);
    if (wantsJson(request)) {
      return json({ results: outcomes.map(({ ok }) => ok) });
    }
    const changed = form.itemIds.filter((_, at) => outcomes[at]?.ok === true);
    if (changed.length === 0) {
      throw refusalOf(outcomes);
    }
    return redirect(pathOf(withDone(form.back, form.action, changed)));
  }

  private run(userId: string, { action, itemIds, tags }: ActionForm): Promise<ActionOutcome[]> {
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

/** Returns the error to show if an action has changed no item. */
function refusalOf(outcomes: readonly ActionOutcome[]): Error {
  const refusals = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.refusal]));
  const [first] = refusals.filter(({ code }) => code !== NOT_FOUND);
  return first === undefined ? new ItemNotFoundError() : first.error;
}
