import { defined } from '../../util/defined.js';
import { highlightColorOf } from '../../util/highlight-color.js';
import { isNoteAnnotationId } from '../../util/item-note.js';
import type { AnnotationToImport, ItemToImport } from '../format.js';
import type { LeftOut } from '../not-imported.js';
import { itemFrom, type ItemParts, NoItem } from '../reading/item-from.js';
import { jsonFormat, noContext } from '../reading/json-format.js';
import type { Members } from '../reading/members.js';
import {
  firstText,
  flagOf,
  listOf,
  membersOf,
  rangesOf,
  secondsOf,
  tagsOf,
  textOf,
} from '../reading/read-value.js';

/**
 * The status of an item in Satchel, keyed by its status in Pocket's API. The map does not contain the statuses of
 * deleted and hidden items, because these items are not imported.
 */
const STATUSES = new Map<string, 0 | 1>([
  ['', 0],
  ['0', 0],
  ['1', 1],
]);

const LEFT_OUT: LeftOut = {
  page: [
    ...['excerpt', 'is_article', 'is_index', 'has_video', 'has_image', 'word_count', 'lang'],
    ...['time_to_read', 'top_image_url', 'image', 'images', 'videos', 'authors', 'domain_metadata'],
    ...['amp_url', 'listen_duration_estimate', 'badge_group_id'],
  ],
  id: ['item_id', 'resolved_id', 'sort_id', 'tags.[].item_id', 'annotations.[].item_id'],
  repeated: ['resolved_url', 'resolved_title'],
  setting: [
    ...['status', 'complete', 'error', 'search_meta', 'since', 'maxActions', 'cachetype', 'total'],
    ...['account', 'count', 'detailType'],
  ],
};

/**
 * The format of responses from `/v3/get`, which tools such as pockexport store. The file can also
 * contain only the list of items.
 */
export const pocketApi = jsonFormat({
  name: 'pocket-api',
  isNewestFirst: true,
  recognitions: [
    { has: ['list.[].item_id'] },
    { has: ['[].item_id', '[].given_url'] },
    { has: ['list', 'status', 'since'] },
  ],
  leftOut: LEFT_OUT,
  rowPaths: ['list.[]', '[]'],
  contextOf: noContext,
  itemOf: (members) => {
    const status = STATUSES.get(textOf(members.get('status')));
    return status === undefined
      ? new NoItem('It was deleted before the file was made.')
      : itemOf(members, status);
  },
});

const itemOf = (members: Members, status: 0 | 1): ItemToImport | NoItem =>
  itemFrom({
    url: firstText(members, 'given_url', 'resolved_url'),
    title: firstText(members, 'given_title', 'resolved_title'),
    tags: tagsOf(members.get('tags'), 'tag'),
    status,
    ...historyOf(members),
  });

/**
 * Returns the times, the favorite flag, the annotations and the note of an item. Pocket's API and Satchel's own export
 * use the same names for these fields.
 */
export const historyOf = (members: Members): ItemParts => ({
  favorite: members.meaning('favorite', flagOf),
  timeAdded: secondsOf(members.get('time_added')),
  timeUpdated: secondsOf(members.get('time_updated')),
  timeRead: secondsOf(members.get('time_read')),
  timeFavorited: secondsOf(members.get('time_favorited')),
  ...annotationsAndNote(members),
});

/**
 * Returns the annotations and the note of an item. Satchel's own export also lists the note among
 * the annotations, with an id that marks it as the note (docs/decisions/0093).
 */
function annotationsAndNote(members: Members): Pick<ItemParts, 'annotations' | 'note'> {
  const all = listOf(members.get('annotations')).map((one) => annotationOf(membersOf(one)));
  const isNote = ({ annotationId = '' }: AnnotationToImport): boolean =>
    isNoteAnnotationId(annotationId);
  return {
    annotations: all.filter((one) => !isNote(one)),
    note: textOf(members.get('note')) || all.find(isNote)?.note,
  };
}

/** Parses an annotation. Annotations have the same fields in Pocket's API and in Satchel's own export. */
export const annotationOf = (members: Members): AnnotationToImport =>
  defined<AnnotationToImport>({
    annotationId: textOf(members.get('annotation_id')) || undefined,
    quote: textOf(members.get('quote')),
    patch: textOf(members.get('patch')) || undefined,
    version: textOf(members.get('version')) || undefined,
    note: textOf(members.get('note')) || undefined,
    ranges: rangesOf(members.get('ranges')),
    createdAt: secondsOf(members.get('created_at')),
    color: members.meaning('color', highlightColorOf),
  });
