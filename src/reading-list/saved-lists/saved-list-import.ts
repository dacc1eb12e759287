import { isDeepStrictEqual } from 'node:util';

import type { EntityManager } from 'typeorm';

import type { SavedList } from '../entities/saved-list.entity.js';
import { folded } from '../list/item-texts.js';
import { ListRepository } from '../list/list.repository.js';
import { importRules, OFF, type WithRule } from '../rules/rule-import.js';
import { MOST_LISTS } from './saved-list.errors.js';
import { SavedListRepository } from './saved-list.repository.js';
import { type ListChoices, listNameIn } from './saved-lists.service.js';
import { type SavedListMark, savedListMark } from './undo-saved-lists.js';

/** The result for a list of an imported file. `leftOut` describes the parts of the list that were not imported. */
export type ListImportResult =
  | {
      readonly became: 'added';
      readonly leftOut: readonly string[];
      /** The stored list. Undefined in a preview. */
      readonly mark?: SavedListMark | undefined;
    }
  | {
      readonly became: 'unchanged';
      readonly leftOut: readonly string[];
      /** True if the list with this name has the same conditions. */
      readonly isSame: boolean;
    }
  | { readonly became: 'refused'; readonly reason: string };

const MOST_CONDITIONS = 30;
const LONGEST_CONDITION = 500;

const KEPT = 'the conditions of the list, because a list with this name exists';
const NO_NAME = 'The list has no valid name.';
const TOO_LONG = 'The list has too many or too long conditions.';
const TOO_MANY = `A user can save at most ${MOST_LISTS} lists.`;

/** A list that can be saved, or the result for a list that cannot be saved. */
interface Judged {
  readonly list?: ListChoices & WithRule;
  readonly result: ListImportResult;
}

/**
 * Saves the lists of an imported file behind the other lists of the user. Keeps lists whose names exist. Requires a
 * transaction.
 */
export async function importSavedLists(
  manager: EntityManager,
  userId: string,
  given: readonly (ListChoices & WithRule)[],
): Promise<ListImportResult[]> {
  if (given.length === 0) {
    return [];
  }
  await ListRepository.in(manager).lock(userId);
  const lists = SavedListRepository.in(manager);
  const all = await lists.allOf(userId);
  const judged = judge(given, all);
  const saved = judged.flatMap(({ list }) => list ?? []);
  const stored = await storedLists(lists, saved, { userId, after: all.at(-1)?.place ?? 0 });
  const rules = saved.flatMap(({ ruleActions }, at) => {
    const listId = stored[at]?.id;
    return listId === undefined ? [] : { listId, ruleActions };
  });
  await importRules(manager, userId, rules);
  const marks = stored.map(savedListMark).values();
  return judged.map(({ result }) =>
    result.became === 'added' ? { ...result, mark: marks.next().value } : result,
  );
}

/** Saves lists behind the place `after`. Returns the stored lists. */
async function storedLists(
  lists: SavedListRepository,
  saved: readonly ListChoices[],
  { userId, after }: { readonly userId: string; readonly after: number },
): Promise<SavedList[]> {
  return lists.save(
    saved.map(({ name, conditions, isPinned, feed, isShelf }, at) => {
      const choices = { name, conditions, isPinned, feed, isShelf };
      return lists.create({ ...choices, userId, nameKey: folded(name), place: after + at + 1 });
    }),
  );
}

/** Returns the results that `importSavedLists` would return if the lists in `planned` existed. Writes nothing. */
export async function previewSavedLists(
  manager: EntityManager,
  userId: string,
  given: readonly (ListChoices & WithRule)[],
  planned: readonly ListChoices[] = [],
): Promise<ListImportResult[]> {
  const all = given.length === 0 ? [] : await SavedListRepository.in(manager).allOf(userId);
  return judge(given, [...all, ...planned]).map(({ result }) => result);
}

type NamedConditions = Pick<ListChoices, 'name' | 'conditions'>;

function judge(
  given: readonly (ListChoices & WithRule)[],
  all: readonly NamedConditions[],
): Judged[] {
  const taken = new Map(all.map(({ name, conditions }) => [folded(name), conditions]));
  return given.map((list): Judged => {
    const name = listNameIn(list.name);
    if (name === undefined || !areStorable(list.conditions)) {
      return refused(name === undefined ? NO_NAME : TOO_LONG);
    }
    const present = taken.get(folded(name));
    if (present !== undefined) {
      const isSame = isDeepStrictEqual(present, list.conditions);
      return { result: { became: 'unchanged', leftOut: [KEPT], isSame } };
    }
    if (taken.size >= MOST_LISTS) {
      return refused(TOO_MANY);
    }
    taken.set(folded(name), list.conditions);
    const leftOut = list.ruleActions === undefined ? [] : [OFF];
    return { list: { ...list, name }, result: { became: 'added', leftOut } };
  });
}

const refused = (reason: string): Judged => ({ result: { became: 'refused', reason } });

/** Conditions that this version does not understand are stored too. Such a list is not shown. */
function areStorable(conditions: ListChoices['conditions']): boolean {
  const texts = Object.entries(conditions).flat();
  return (
    texts.length <= 2 * MOST_CONDITIONS &&
    texts.every((text) => text.length <= LONGEST_CONDITION && !text.includes('\0'))
  );
}
