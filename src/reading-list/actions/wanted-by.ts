import { candidateIds } from '../list/item-reference.js';
import type { NamedTag } from '../list/tag-name.js';
import type { Wanted } from '../list/wanted.js';
import type { Action } from './action.js';

/** What must be loaded before the actions can be applied. */
export const wantedBy = (actions: readonly Action[]): Wanted => ({
  itemIds: unique(actions.flatMap((action) => ('item' in action ? candidateIds(action.item) : []))),
  tagIds: unique(actions.flatMap((action) => tagsNamedBy(action).map(({ id }) => id))),
});

function tagsNamedBy(action: Action): readonly NamedTag[] {
  if ('tags' in action) {
    return action.tags;
  }
  if ('tag' in action) {
    return [action.tag];
  }
  return 'oldTag' in action ? [action.oldTag, action.newTag] : [];
}

const unique = (ids: readonly string[]): readonly string[] => [...new Set(ids)];
