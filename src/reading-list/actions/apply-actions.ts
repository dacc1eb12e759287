import type { EntityManager } from 'typeorm';

import { yieldToOthers } from '../../lib/util/event-loop.js';
import { itemOfNoteAnnotation } from '../../lib/util/item-note.js';
import { describeItem } from '../details/describe-item.js';
import {
  type ActionOutcome,
  DONE,
  Refusal,
  refused,
  type SavedBefore,
  TOO_MANY_TAGS,
} from '../list/action-outcome.js';
import { ListRepository } from '../list/list.repository.js';
import { candidateIds, type ItemState, type TouchedIds } from '../list/list-state.js';
import type { ListUnitOfWork } from '../list/list-unit-of-work.js';
import type { NamedTag } from '../list/tag-name.js';
import type { Action, ActionName } from './action.js';
import type { ParsedAction } from './action.parser.js';

/** Actions that are applied to a list in one transaction, in order. */
interface Batch {
  readonly actions: readonly ParsedAction[];
  /** The current time in Unix seconds. */
  readonly now: number;
  readonly returnsItems?: boolean;
  /** The maximum number of pages of added items that are fetched per hour. Undefined or 0 means no limit. */
  readonly pagesPerHour?: number;
  /** The maximum number of bytes that the user may store. Undefined or 0 means no limit. */
  readonly storageLimit?: number;
  /** The maximum number of items whose tags are renamed or deleted in this transaction. Undefined means the default. */
  readonly taggedAtOnce?: number;
}

/**
 * Applies the actions to the user's list, in the caller's transaction. Returns one outcome per
 * action. The outcomes are valid only after the transaction is committed (docs/decisions/0017).
 * @throws TagsMovingError if a tag of an action is being renamed or deleted
 * @throws TagsMovingError if an item would get too many tags, but a pending rename or deletion may
 * reduce their number
 * @throws StorageUnmeasuredError if an action exceeds the storage limit, but the stored size of the
 * list may be too high
 */
export async function applyActions(
  manager: EntityManager,
  userId: string,
  { actions, now, returnsItems = false, pagesPerHour, storageLimit, taggedAtOnce }: Batch,
): Promise<ActionOutcome[]> {
  const wellFormed = actions.filter(isAction);
  if (wellFormed.length === 0) {
    return actions.map(outcomeWithoutList);
  }
  const lists = ListRepository.in(manager);
  const locked = await lists.load(userId, touchedBy(wellFormed), { now, storageLimit });
  const outcomes = await applied(locked.unit, actions);
  locked.unit.room.requireMeasured();
  if (outcomes.includes(TOO_MANY_TAGS)) {
    await lists.requireNoTagMoves(userId);
  }
  const saved = outcomes.map((outcome, at) =>
    returnsItems && putsIntoList(actions[at]) && outcome.ok ? outcome.itemId : undefined,
  );
  const returned = saved.filter((id) => id !== undefined);
  const rows = await lists.flush(userId, locked, { returned, pagesPerHour, taggedAtOnce });
  return outcomes.map((outcome, at) => {
    const row = rows.get(saved[at] ?? '');
    return outcome.ok && row !== undefined ? { ...outcome, row } : outcome;
  });
}

async function applied(
  list: ListUnitOfWork,
  actions: readonly ParsedAction[],
): Promise<ActionOutcome[]> {
  const outcomes: ActionOutcome[] = [];
  for (const action of actions) {
    await yieldToOthers();
    outcomes.push(isAction(action) ? applyAction(list, action) : outcomeWithoutList(action));
  }
  return outcomes;
}

const isAction = (action: ParsedAction): action is Action =>
  action !== 'ignored' && !(action instanceof Refusal);

const outcomeWithoutList = (action: ParsedAction): ActionOutcome =>
  action instanceof Refusal ? refused(action) : DONE;

const putsIntoList = (action: ParsedAction | undefined): boolean =>
  action !== undefined &&
  isAction(action) &&
  (action.action === 'add' || action.action === 'readd');

/** Returns true if the action renames or deletes a tag, and so changes all items with the tag. */
export const isOnAllItems = (action: ParsedAction): boolean =>
  isAction(action) && (action.action === 'tag_rename' || action.action === 'tag_delete');

type Handler<N extends ActionName> = (list: ListUnitOfWork, action: Action<N>) => ActionOutcome;

const HANDLERS: { readonly [N in ActionName]: Handler<N> } = {
  add: addItem,
  archive: (list, { item, time }) => list.archive(item, time),
  readd: (list, { item, time }) => list.readd(item, time),
  favorite: (list, { item, time }) => list.favorite(item, time),
  unfavorite: (list, { item }) => list.unfavorite(item),
  delete: (list, { item }) => list.delete(item),
  undo_archive: (list, { item }) => list.undoArchive(item),
  undo_delete: (list, { item }) => list.undoDelete(item),
  tags_add: (list, { item, tags }) => list.addTags(item, tags),
  tags_remove: (list, { item, tags }) => list.removeTags(item, tags),
  tags_replace: (list, { item, tags }) => list.replaceTags(item, tags),
  tags_clear: (list, { item }) => list.replaceTags(item, []),
  tag_rename: (list, { oldTag, newTag }) => list.renameTag(oldTag, newTag),
  tag_delete: (list, { tag }) => list.deleteTag(tag),
  add_annotation: (list, { item, annotation, time }) => list.annotate(item, annotation, time),
  delete_annotation: (list, { annotationId }) => list.deleteAnnotation(annotationId),
  set_note: (list, { item, note }) => list.setNote(item, note),
  retitle: (list, { item, title }) => list.retitle(item, title),
  describe: (list, { item, details }) => describeItem(list, item, details),
  bring_page: (list, { item, bytes }) => list.bringPage(item, bytes),
};

function addItem(list: ListUnitOfWork, action: Action<'add'>): ActionOutcome {
  const before = list.items.find(action.item)?.state;
  const savedBefore = before && savedBeforeOf(before);
  const outcome = list.add(action, action.time);
  return outcome.ok && savedBefore ? { ...outcome, savedBefore } : outcome;
}

const savedBeforeOf = ({ timeAdded, status }: ItemState): SavedBefore => ({
  timeAdded,
  isArchived: status === 1,
});

/** Applies one action to the loaded part of a list. */
export const applyAction = <N extends ActionName>(
  list: ListUnitOfWork,
  action: Action<N>,
): ActionOutcome => HANDLERS[action.action](list, action);

/**
 * Returns the ids of items and tags in the actions. The caller loads these items and tags before it applies the
 * actions.
 */
export const touchedBy = (actions: readonly Action[]): TouchedIds => ({
  itemIds: unique(actions.flatMap(itemsNamedBy)),
  tagIds: unique(actions.flatMap((action) => tagsNamedBy(action).map(({ id }) => id))),
  annotations: {
    itemIds: unique(
      actions.flatMap((action) => ('annotation' in action ? candidateIds(action.item) : [])),
    ),
    ids: unique(actions.flatMap(annotationsNamedBy)),
  },
  detailedItemIds: unique(
    actions.flatMap((action) => ('details' in action ? candidateIds(action.item) : [])),
  ),
});

function itemsNamedBy(action: Action): readonly string[] {
  if ('item' in action) {
    return candidateIds(action.item);
  }
  const noted = 'annotationId' in action ? itemOfNoteAnnotation(action.annotationId) : undefined;
  return noted === undefined ? [] : [noted];
}

function tagsNamedBy(action: Action): readonly NamedTag[] {
  if ('tags' in action) {
    return action.tags;
  }
  if ('tag' in action) {
    return [action.tag];
  }
  return 'oldTag' in action ? [action.oldTag, action.newTag] : [];
}

function annotationsNamedBy(action: Action): readonly string[] {
  if ('annotation' in action) {
    return [action.annotation.annotationId];
  }
  return 'annotationId' in action ? [action.annotationId] : [];
}

const unique = (ids: readonly string[]): readonly string[] => [...new Set(ids)];
