import { fieldProblem, ValidationFailedError } from '../../platform/common/common.errors.js';
import { message } from '../../platform/i18n/message.js';
import type { Action } from '../actions/action.js';
import type { ItemRow } from '../entities/item.entity.js';
import { parseTagNames, splitTags, withPlainCommas } from '../list/tag-name.js';
import { MAX_TAGS } from '../list/tracked-tags.js';
import type { ListRule, RuleActions } from './list-rule.entity.js';

const NAMES: ReadonlySet<string> = new Set<keyof RuleActions>([
  ...(['tags', 'archive', 'favorite', 'eReader'] as const),
]);

/** Returns true if this version of Satchel understands all actions of a rule. */
export const isUnderstood = ({ actions }: Pick<ListRule, 'actions'>): boolean =>
  Object.keys(actions).every((name) => NAMES.has(name));

export const hasNoAction = (actions: RuleActions): boolean => Object.keys(actions).length === 0;

/**
 * Returns the tags of a comma-separated text that a person has typed.
 * @throws ValidationFailedError if a tag is invalid, or if there are more tags than an item can have
 */
export function ruleTagsIn(text: string): readonly string[] {
  const tags = parseTagNames(splitTags(withPlainCommas(text)));
  if (tags === undefined) {
    const advice = message('errors.tags');
    throw new ValidationFailedError([fieldProblem('tags', 'must be tags', advice)]);
  }
  if (tags.length > MAX_TAGS) {
    const advice = message('errors.tooManyTags');
    throw new ValidationFailedError([fieldProblem('tags', `are at most ${MAX_TAGS}`, advice)]);
  }
  return tags.map(({ name }) => name);
}

/** Returns the actions of a rule on one item of the list, in the form of `/v3/send`. Mails are queued separately. */
export function actionsOn(itemId: string, { tags = [], archive, favorite }: RuleActions): Action[] {
  const target = { item: { itemId }, time: undefined };
  const names = parseTagNames(tags) ?? [];
  return [
    ...(names.length > 0 ? [{ action: 'tags_add', ...target, tags: names } as const] : []),
    ...(favorite === true ? [{ action: 'favorite', ...target } as const] : []),
    ...(archive === true ? [{ action: 'archive', ...target } as const] : []),
  ];
}

/** Returns true if the actions include more than sending to the e-reader. */
export const changesItems = ({ tags, archive, favorite }: RuleActions): boolean =>
  tags !== undefined || archive === true || favorite === true;

/** Returns the actions that would change the item. */
export function changesOf(row: ItemRow, { tags = [], archive, favorite }: RuleActions): Action[] {
  return actionsOn(row.item_id, {
    tags: missingTags(row, tags),
    ...(archive === true && row.status === 0 && { archive }),
    ...(favorite === true && row.favorite === 0 && { favorite }),
  });
}

function missingTags(row: ItemRow, tags: readonly string[]): readonly string[] {
  const keys = new Set(parseTagNames(row.tags)?.map(({ key }) => key));
  const missing = parseTagNames(tags)?.filter(({ key }) => !keys.has(key)) ?? [];
  return missing.map(({ name }) => name);
}
