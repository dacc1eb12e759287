import { Post, Req } from '@nestjs/common';
import type { Request } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { ListRules } from '../../../reading-list/rules/list-rules.service.js';
import { RuleRuns } from '../../../reading-list/rules/rule-runs.service.js';
import { SavedLists } from '../../../reading-list/saved-lists/saved-lists.service.js';
import { formErrorsOf } from '../../forms.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';
import type { ReaderPage } from '../reader-page.js';
import { ListRuleForms, ruleFormIn, type RulePart } from './list-rule-forms.js';
import { requestedList } from './requested-list.js';
import { editPath } from './shown-lists.js';

/** The page that shows a form of a rule again that was rejected. */
interface RulePageModel extends ReaderPage {
  readonly id: string;
  readonly name: string;
  readonly editHref: string;
  readonly rule: RulePart;
}

const rulePage = new Template<RulePageModel>('reader/saved-lists/list-rule-page', {
  kind: 'reader',
});

/** Saves the rule of a list, and applies it to the items that match now. */
@Page('list/lists/rule')
export class ListRuleController {
  constructor(
    private readonly lists: SavedLists,
    private readonly forms: ListRuleForms,
    private readonly rules: ListRules,
    private readonly runs: RuleRuns,
  ) {}

  @Post()
  async save(
    @CurrentUser() { id: userId }: User,
    @Req() { body }: Request,
  ): Promise<ShownPage | Answer> {
    const list = await requestedList(this.lists, userId, body);
    const form = ruleFormIn(body);
    try {
      await this.forms.save(userId, list, form);
      return redirect(`${editPath(list)}&done=rule-saved`);
    } catch (error) {
      const { id, name } = list;
      const rule = await this.forms.of(userId, list, { form, errors: formErrorsOf(error) });
      const model = { section: 'list', id, name, editHref: editPath(list), rule } as const;
      return rulePage.page(model, { status: 400 });
    }
  }

  /** Applies the saved rule to all items that match now. Sends nothing to the e-reader. */
  @Post('apply')
  async apply(@CurrentUser() { id: userId }: User, @Req() { body }: Request): Promise<Answer> {
    const list = await requestedList(this.lists, userId, body);
    const rule = await this.rules.of({ userId, listId: list.id });
    const { changed, hasMore } = await this.runs.apply(userId, list, rule?.actions ?? {});
    const done = changed === 0 ? 'unchanged' : `rule-applied&count=${changed}`;
    return redirect(`${editPath(list)}&done=${done}${hasMore ? '&more=1' : ''}`);
  }
}
