import type { PageDetails } from '../details/page-details.js';
import type { ItemReference, NewItem } from '../list/list-state.js';
import type { TagName } from '../list/tag-name.js';
import type { NewAnnotation } from '../list/tracked-annotations.js';

export interface OnItem {
  item: ItemReference;
}

export interface OnItemWithTags extends OnItem {
  tags: readonly TagName[];
}

/** The parsed parameters of each action. The keys are the names of the actions. */
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
  describe: OnItem & { details: PageDetails };
  /**
   * Counts the size of a page from a client toward the user's storage. The caller stores the page.
   */
  bring_page: OnItem & { bytes: number };
}

export type ActionName = keyof ActionParameters;

/**
 * The names of the actions that clients can send to `/v3/send`. Only the web UI and other APIs use the excluded
 * actions.
 */
export type SentActionName = Exclude<ActionName, 'retitle' | 'describe' | 'bring_page'>;

/** A parsed action. For example, `Action<'archive'>` is an archive action, and `Action` is any action. */
export type Action<N extends ActionName = ActionName> = {
  [K in N]: {
    readonly action: K;
    /** The time of the action in Unix seconds, by the clock of the client. Undefined means now. */
    readonly time: number | undefined;
  } & Readonly<ActionParameters[K]>;
}[N];

/**
 * Returns the action that counts the size of a page from a client. Returns an empty array if the
 * client sent no page.
 */
export const bringing = (
  item: ItemReference,
  sent: { readonly stored: Buffer } | undefined,
): readonly Action<'bring_page'>[] =>
  sent === undefined
    ? []
    : [{ action: 'bring_page', item, bytes: sent.stored.length, time: undefined }];
