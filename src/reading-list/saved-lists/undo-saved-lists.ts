import { hash } from 'node:crypto';

import { type EntityManager, In } from 'typeorm';

import type { SavedList } from '../entities/saved-list.entity.js';
import { ListRuleRepository } from '../rules/list-rule.repository.js';
import { ListDigestRepository } from './list-digest.repository.js';
import { PublicListRepository } from './public-list.repository.js';
import { SavedListRepository } from './saved-list.repository.js';

/** A saved list that an import has created, and the fingerprint of its properties. */
export interface SavedListMark {
  readonly id: string;
  readonly fingerprint: string;
}

/** Returns the mark of a saved list. The order of its conditions does not matter. */
export function savedListMark(list: SavedList): SavedListMark {
  const { id, name, conditions, isPinned, feed, isShelf } = list;
  const sorted = Object.entries(conditions).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const text = JSON.stringify([name, sorted, isPinned, feed, isShelf]);
  return { id, fingerprint: hash('sha1', text) };
}

/**
 * Deletes the saved lists that an import has created, in a transaction that has locked the list. Keeps lists that the
 * user has changed, published or mailed, and lists whose rule is on. Returns the number of deleted lists.
 */
export async function undoSavedLists(
  manager: EntityManager,
  userId: string,
  { marks, now }: { readonly marks: readonly SavedListMark[]; readonly now: Date },
): Promise<number> {
  const ids = await unchangedLists(manager, userId, marks);
  if (ids.length > 0) {
    // These lists have no rule that is on, so the subscription to events stays as it is.
    await SavedListRepository.in(manager).update({ userId, id: In(ids) }, { deletedAt: now });
  }
  return ids.length;
}

/** Returns the ids of those saved lists of an import that its undo deletes. */
export async function unchangedLists(
  manager: EntityManager,
  userId: string,
  marks: readonly SavedListMark[],
): Promise<string[]> {
  if (marks.length === 0) {
    return [];
  }
  const fingerprints = new Map(marks.map(({ id, fingerprint }) => [id, fingerprint]));
  const used = await usedLists(manager, userId);
  const all = await SavedListRepository.in(manager).allOf(userId);
  return all
    .filter(
      (list) => fingerprints.get(list.id) === savedListMark(list).fingerprint && !used.has(list.id),
    )
    .map(({ id }) => id);
}

/** Returns the lists with a public page, a digest, or a rule that is on. */
async function usedLists(manager: EntityManager, userId: string): Promise<ReadonlySet<string>> {
  const [pages, digests, rules] = await Promise.all([
    PublicListRepository.in(manager).findBy({ userId }),
    ListDigestRepository.in(manager).findBy({ userId }),
    ListRuleRepository.in(manager).findBy({ userId, isOn: true }),
  ]);
  return new Set([...pages, ...digests, ...rules].map(({ listId }) => listId));
}
