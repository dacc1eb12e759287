import { Injectable } from '@nestjs/common';

import { EReaderMail } from '../../../apis/e-reader-mail/e-reader-mail.service.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Message, message, plainText } from '../../../platform/i18n/message.js';
import type { SavedList } from '../../../reading-list/entities/saved-list.entity.js';
import { resolvedTitleOf } from '../../../reading-list/get/page.presenter.js';
import type { ListRule, RuleActions } from '../../../reading-list/rules/list-rule.entity.js';
import { ListRules } from '../../../reading-list/rules/list-rules.service.js';
import {
  changesItems,
  isUnderstood,
  ruleTagsIn,
} from '../../../reading-list/rules/rule-actions.js';
import { RuleRuns } from '../../../reading-list/rules/rule-runs.service.js';
import type { FormError } from '../../forms.js';

/** The number of titles that a test shows. */
const MOST_TITLES = 10;

/** The fields of the form of a rule. */
export interface RuleForm {
  /** The tags as the user has typed them, separated by commas. */
  readonly tags: string;
  readonly archives: boolean;
  readonly favorites: boolean;
  readonly sends: boolean;
  readonly isOn: boolean;
}

/** The part of the page of a list about its rule. */
export interface RulePart extends RuleForm {
  /** True if the user has an e-reader to which the rule can send articles. */
  readonly hasEReader: boolean;
  /** The reason why the rule does not act, although it is on. */
  readonly paused: Message | undefined;
  /** Undefined if this version of Satchel does not understand the conditions of the list. */
  readonly test: { readonly summary: Message; readonly titles: readonly TestedItem[] } | undefined;
  /** The number of items to which the user can apply the rule. Undefined if there are none. */
  readonly applicable: number | undefined;
  readonly ruleErrors: readonly FormError[];
}

interface TestedItem {
  readonly href: string;
  readonly title: string;
}

const NO_RULE = { actions: {}, isOn: false };

/** Shows and changes the rules of a user's lists. */
@Injectable()
export class ListRuleForms {
  constructor(
    private readonly rules: ListRules,
    private readonly runs: RuleRuns,
    private readonly eReader: EReaderMail,
  ) {}

  /** Returns the form of a list. After a rejected form, the fields are those of this form. */
  async of(
    userId: string,
    list: SavedList,
    refused?: { readonly form: RuleForm; readonly errors: readonly FormError[] },
  ): Promise<RulePart> {
    const rule = await this.rules.of({ userId, listId: list.id });
    const test = await this.testOf(userId, list);
    const hasEReader = (await this.eReader.settingsOf(userId)) !== undefined;
    return {
      ...(refused?.form ?? formOf(rule)),
      hasEReader,
      paused: rule && pauseOf(rule, { hasEReader, test }),
      test,
      applicable: rule && (await this.applicableOf(userId, list, rule)),
      ruleErrors: refused?.errors ?? [],
    };
  }

  /**
   * Saves the rule of a list.
   * @throws ValidationFailedError if a tag is invalid
   */
  async save(userId: string, { id: listId }: SavedList, form: RuleForm): Promise<void> {
    const actions = actionsIn(form);
    await this.rules.save({ userId, listId }, { actions, isOn: form.isOn });
  }

  /** Returns the active rules of a user in words, keyed by the ids of the lists. */
  async wordsOf(userId: string): Promise<ReadonlyMap<string, readonly Message[]>> {
    const rules = [...(await this.rules.ofUser(userId))].filter(([, { isOn }]) => isOn);
    return new Map(rules.map(([listId, { actions }]) => [listId, actionWords(actions)]));
  }

  private async testOf(userId: string, list: SavedList): Promise<RulePart['test']> {
    const test = await this.runs.test(userId, list);
    return (
      test && {
        summary: message('listRules.test', { count: test.matches.length, tested: test.tested }),
        titles: test.matches.slice(0, MOST_TITLES).map((row) => ({
          href: `/read/${row.item_id}`,
          title: resolvedTitleOf(row) || row.given_title || row.given_url,
        })),
      }
    );
  }

  private async applicableOf(
    userId: string,
    list: SavedList,
    { actions }: ListRule,
  ): Promise<number | undefined> {
    return changesItems(actions) ? (await this.runs.count(userId, list)) || undefined : undefined;
  }
}

const formOf = ({ actions, isOn }: Pick<ListRule, 'actions' | 'isOn'> = NO_RULE): RuleForm => ({
  tags: (actions.tags ?? []).join(', '),
  archives: actions.archive === true,
  favorites: actions.favorite === true,
  sends: actions.eReader === true,
  isOn,
});

/** @throws ValidationFailedError if a tag is invalid */
function actionsIn({ tags: text, archives, favorites, sends }: RuleForm): RuleActions {
  const tags = ruleTagsIn(text);
  return {
    ...(tags.length > 0 && { tags }),
    ...(archives && { archive: true }),
    ...(favorites && { favorite: true }),
    ...(sends && { eReader: true }),
  };
}

function pauseOf(
  rule: ListRule,
  { hasEReader, test }: Pick<RulePart, 'hasEReader' | 'test'>,
): Message | undefined {
  if (!rule.isOn) {
    return undefined;
  }
  if (test === undefined || !isUnderstood(rule)) {
    return message('listRules.paused');
  }
  return rule.actions.eReader === true && !hasEReader ? message('listRules.noEReader') : undefined;
}

const actionWords = ({ tags = [], archive, favorite, eReader }: RuleActions): Message[] => [
  ...(tags.length > 0 ? [message('listRules.words.tags', { tags: tags.map(plainText) })] : []),
  ...(archive === true ? [message('listRules.archives')] : []),
  ...(favorite === true ? [message('listRules.favorites')] : []),
  ...(eReader === true ? [message('listRules.sends')] : []),
];

export const ruleFormIn = (body: unknown): RuleForm => ({
  tags: textOf(body, 'tags'),
  archives: textOf(body, 'archives') === '1',
  favorites: textOf(body, 'favorites') === '1',
  sends: textOf(body, 'sends') === '1',
  isOn: textOf(body, 'on') === '1',
});
