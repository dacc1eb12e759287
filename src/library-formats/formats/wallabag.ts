import { defined } from '../../common/defined.js';
import { joinNotes } from '../../common/item-note.js';
import type { AnnotationToImport } from '../format.js';
import { itemFrom, type ItemParts } from '../reading/item-from.js';
import { jsonFormat, noContext } from '../reading/json-format.js';
import type { Members } from '../reading/members.js';
import {
  countOf,
  flagOf,
  listOf,
  membersOf,
  rangesOf,
  secondsOf,
  tagsOf,
  textOf,
} from '../reading/read-value.js';

/** linkding has `is_archived` too. */
const OF_LINKDING = ['[].tag_names', '[].date_added', '[].website_title'];

/** What wallabag exports as JSON, also its first version, and what its API answers. */
export const wallabag = jsonFormat({
  name: 'wallabag',
  recognitions: [
    { has: ['[].url', ['[].is_archived', '[].is_fav']], hasNot: OF_LINKDING },
    { has: ['_embedded.items.[].url', '_embedded.items.[].is_archived'] },
  ],
  rowPaths: ['[]', '_embedded.items.[]'],
  contextOf: noContext,
  itemOf: (members) =>
    itemFrom({
      url: textOf(members.get('url')),
      title: textOf(members.get('title')),
      tags: tagsOf(members.get('tags'), 'label', 'slug'),
      status: flagOf(members.get('is_archived') ?? members.get('is_read')),
      favorite: flagOf(members.get('is_starred') ?? members.get('is_fav')),
      timeAdded: secondsOf(members.get('created_at')),
      timeUpdated: secondsOf(members.get('updated_at')),
      timeRead: secondsOf(members.get('archived_at')),
      timeFavorited: secondsOf(members.get('starred_at')),
      number: countOf(members.get('id')),
      ...annotationsAndNote(members),
    }),
});

/** An annotation with a text only is the note of the item: Satchel's export writes notes this way. */
function annotationsAndNote(members: Members): Pick<ItemParts, 'annotations' | 'note'> {
  const all = listOf(members.get('annotations')).map((one) => membersOf(one));
  const notes = all.filter(isNote).map((one) => textOf(one.get('text')));
  return {
    annotations: all.filter((one) => !isNote(one)).map(passageOf),
    note: notes.reduce(joinNotes, ''),
  };
}

const isNote = (members: Members): boolean =>
  textOf(members.get('quote')) === '' && rangesOf(members.get('ranges')) === undefined;

/** The passage with what was written about it, which is a passage by itself where there is no other. */
function passageOf(members: Members): AnnotationToImport {
  const [quote, note] = [textOf(members.get('quote')), textOf(members.get('text'))];
  return defined<AnnotationToImport>({
    quote: quote || note,
    note: quote === '' || note === '' ? undefined : note,
    ranges: rangesOf(members.get('ranges')),
    createdAt: secondsOf(members.get('created_at')),
  });
}
