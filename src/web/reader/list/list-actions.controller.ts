import { Post, Req } from '@nestjs/common';
import type { Request } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { type Answer, json, redirect } from '../../../platform/http/answer.js';
import { message } from '../../../platform/i18n/message.js';
import type { ActionOutcome } from '../../../reading-list/list/action-outcome.js';
import { ItemNotFoundError } from '../../../reading-list/reading-list.errors.js';
import { pathOf } from '../../local-path.js';
import { Page } from '../../page.js';
import { wantsJson } from '../../page-error.filter.js';
import { InvalidPageRequestError } from '../../pages.errors.js';
import { Pages } from '../../pages.js';
import { withDone, withNotice } from '../done-notice.js';
import { ItemChanges } from './item-changes.js';
import { type ActionForm, actionFormOf } from './list-actions.request.js';
import { selectedViewIn, ViewItems } from './view-items.js';

/** Runs the actions that forms and scripts of the reader send. The same rules apply to actions in the API. */
@Page('list')
export class ListActionsController {
  constructor(
    private readonly changes: ItemChanges,
    private readonly items: ViewItems,
    private readonly pages: Pages,
  ) {}

  @Post('actions')
  act(@CurrentUser() { id: userId }: User, @Req() request: Request): Promise<Answer> {
    const form = actionFormOf(request.body);
    if (form.isOnWholeView) {
      return this.actOnView(userId, form, request);
    }
    return form.itemIds.length === 0
      ? Promise.resolve(nothingSelected(form, request))
      : this.actOnItems(userId, form, request);
  }

  private async actOnItems(userId: string, form: ActionForm, request: Request): Promise<Answer> {
    if (form.action === 'edit_tags') {
      return redirect(tagsPath(form));
    }
    if (wantsJson(request)) {
      return this.actForScript(userId, form, request);
    }
    const outcomes = await this.changes.run(userId, form);
    const changed = changedOf(form.itemIds, outcomes);
    if (changed.length === 0) {
      throw refusalOf(outcomes);
    }
    return redirect(pathOf(withDone(form.back, form.action, changed)));
  }

  /** The response contains the number of items after the change, because the page of the script stays open. */
  private async actForScript(userId: string, form: ActionForm, request: Request): Promise<Answer> {
    const outcomes = await this.changes.run(userId, form);
    const results = form.itemIds.map((_, at) => outcomes[at]?.ok === true);
    const total = await this.totalAt(userId, form.back, request);
    return json({ results, ...(total !== undefined && { total }) });
  }

  /** Changes all items of a view. Tells the user if some items remain, because there are too many or a batch failed. */
  private async actOnView(userId: string, form: ActionForm, request: Request): Promise<Answer> {
    const selected = selectedViewIn(request.body, form.back);
    const { itemIds, hasMore } = await this.items.ids(userId, selected);
    const outcomes = await this.changes.run(userId, { ...form, itemIds });
    const changed = changedOf(itemIds, outcomes);
    if (changed.length === 0) {
      requireOnlyMissing(outcomes);
    }
    if (wantsJson(request)) {
      return json({ count: changed.length });
    }
    if (changed.length === 0) {
      return redirect(pathOf(withNotice(form.back, 'unchanged')));
    }
    const page = withDone(form.back, form.action, changed);
    if (hasMore || outcomes.length < itemIds.length) {
      page.searchParams.set('more', '1');
    }
    return redirect(pathOf(page));
  }

  /**
   * Returns the number of items in the view at an address, as the list page shows it. Undefined if the page shows no
   * number. Ignores an invalid address, because the service worker would drop a rejected change.
   */
  private async totalAt(userId: string, page: URL, request: Request): Promise<string | undefined> {
    const count = await this.items.totalAt(userId, page);
    if (count === undefined || count === 0) {
      return count === 0 ? '' : undefined;
    }
    return this.pages.text(message('list.total', { count }), request);
  }
}

const changedOf = (itemIds: readonly string[], outcomes: readonly ActionOutcome[]): string[] =>
  itemIds.filter((_, at) => outcomes[at]?.ok === true);

/** @throws ValidationFailedError if a script sent the form */
function nothingSelected({ back }: ActionForm, request: Request): Answer {
  if (wantsJson(request)) {
    throw new InvalidPageRequestError(message('errors.nothingSelected'));
  }
  return redirect(pathOf(withNotice(back, 'nothing')));
}

/** @throws DomainError if an item refused the action for another reason than that it is missing, such as a long tag */
function requireOnlyMissing(outcomes: readonly ActionOutcome[]): void {
  const refusal = refusalOf(outcomes);
  if (!(refusal instanceof ItemNotFoundError)) {
    throw refusal;
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
