import { candidateIds } from '../list/item-reference.js';
import type { NamedTag } from '../list/tag-name.js';
import type { Wanted } from '../list/wanted.js';
import type { Action } from './action.js';

/** What must be loaded before the actions can be applied. */
export const wantedBy = (actions: readonly Action[]): Wanted => ({
  itemIds: unique(actions.flatMap((action) => ('item' in action ? candidateIds(action.item) : []))),
  tagIds: unique(actions.flatMap((action) => tagsNamedBy(action).map(({ id }) => id))),
  annotations: {
    itemIds: unique(
      actions.flatMap((action) => ('annotation' in action ? candidateIds(action.item) : [])),
    ),
    ids: unique(actions.flatMap(annotationsNamedBy)),
  },
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

function annotationsNamedBy(action: Action): readonly string[] {
  if ('annotation' in action) {
    return [action.annotation.annotationId];
  }
  return 'annotationId' in action ? [action.annotationId] : [];
}

const unique = (ids: readonly string[]): readonly string[] => [...new Set(ids)];
