import type { ListSlice } from '../list/list-slice.js';
import type { Outcome } from '../list/outcome.js';
import type { Action, ActionName } from './action.js';

type Handler<N extends ActionName> = (list: ListSlice, action: Action<N>) => Outcome;

const HANDLERS: { readonly [N in ActionName]: Handler<N> } = {
  add: (list, action) => list.add(action, action.time),
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
};

/** Does one action to the slice in memory. */
export const applyAction = <N extends ActionName>(list: ListSlice, action: Action<N>): Outcome =>
  HANDLERS[action.action](list, action);
