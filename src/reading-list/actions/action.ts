import type { DetailChanges } from '../details/tracked-details.js';
import type { ItemReference, NewItem } from '../list/list-state.js';
import type { TagName } from '../list/tag-name.js';
import type { NewAnnotation } from '../list/tracked-annotations.js';

export interface OnItem {
  item: ItemReference;
}

export interface OnItemWithTags extends OnItem {
  tags: readonly TagName[];
}

/** The parameters of each action once it is parsed. */
export interface ActionParameters {
  add: NewItem;
  archive: OnItem;
  readd: OnItem;
  favorite: OnItem;
  unfavorite: OnItem;
  delete: OnItem;
  undo_archive: OnItem;
  undo_delete: OnItem;
  tags_add: OnItemWithTags;
  tags_remove: OnItemWithTags;
  tags_replace: OnItemWithTags;
  tags_clear: OnItem;
  tag_rename: { oldTag: TagName; newTag: TagName };
  tag_delete: { tag: TagName };
  add_annotation: OnItem & { annotation: NewAnnotation };
  delete_annotation: { annotationId: string };
  set_note: OnItem & { note: string };
  retitle: OnItem & { title: string };
  describe: OnItem & { details: DetailChanges };
  /** Counts a page of this size. The caller stores the page. */
  bring_page: OnItem & { bytes: number };
}

export type ActionName = keyof ActionParameters;

/** The actions that `send` accepts. The other actions come from other calls. */
export type SentActionName = Exclude<ActionName, 'retitle' | 'describe' | 'bring_page'>;

/** A parsed action. `Action` is the union of all; `Action<'archive'>` is one of them. */
export type Action<N extends ActionName = ActionName> = {
  [K in N]: {
    readonly action: K;
    /** Unix seconds by the client's clock; undefined means now. */
    readonly time: number | undefined;
  } & Readonly<ActionParameters[K]>;
}[N];

/** Returns the action that counts a page sent by the client, or no action if the client sends no page. */
export const bringing = (
  item: ItemReference,
  sent: { readonly stored: Buffer } | undefined,
): readonly Action<'bring_page'>[] =>
  sent === undefined
    ? []
    : [{ action: 'bring_page', item, bytes: sent.stored.length, time: undefined }];
