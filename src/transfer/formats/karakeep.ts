import { jsonFormat, partsOf } from './json/json-format.js';
import { JsonFault } from './json/json-parts.js';
import type { Source } from './source.js';
import { itemFrom, NoItem } from './values/item-from.js';
import { flagOf, membersOf, noteOf, secondsOf, textOf, textsOf } from './values/read-value.js';

type ListNames = ReadonlyMap<string, string>;

/** `{"bookmarks":[…],"lists":[…]}` of Karakeep, once Hoarder: a list becomes a tag of its pages. */
export const karakeep = jsonFormat({
  name: 'karakeep',
  matches: (head) => head.hasPaths('bookmarks.[].content') || head.hasPaths('bookmarks', 'lists'),
  rowPaths: ['bookmarks.[]'],
  factsOf: listNames,
  itemOf: (members, names) => {
    const content = membersOf(members.get('content'));
    return content.has('url')
      ? itemFrom({
          url: textOf(content.get('url')),
          title: textOf(members.get('title')),
          tags: [
            ...textsOf(members.get('tags'), 'name'),
            ...textsOf(members.get('lists')).map((id) => names.get(id) ?? ''),
          ],
          status: flagOf(members.get('archived')),
          timeAdded: secondsOf(members.get('createdAt')),
          annotations: noteOf(members.get('note')),
        })
      : new NoItem('It is a text or a file, and no page.');
  },
});

/** They stand after the bookmarks. Smart ones are searches, which choose pages by themselves. */
async function listNames(source: Source): Promise<ListNames> {
  const names = new Map<string, string>();
  for await (const parts of partsOf(source, ['lists.[]'])) {
    for (const part of parts) {
      const members = membersOf(part instanceof JsonFault ? undefined : part.value);
      if (textOf(members.get('type')) !== 'smart') {
        names.set(textOf(members.get('id')), textOf(members.get('name')));
      }
    }
  }
  return names;
}
