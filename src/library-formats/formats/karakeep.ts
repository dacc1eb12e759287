import { itemFrom, NoItem } from '../reading/item-from.js';
import { type JsonDocument, jsonFormat } from '../reading/json-format.js';
import { flagOf, membersOf, noteOf, secondsOf, textOf, textsOf } from '../reading/read-value.js';

type ListNames = ReadonlyMap<string, string>;

/** `{"bookmarks":[…],"lists":[…]}` of Karakeep, once Hoarder: a list becomes a tag of its pages. */
export const karakeep = jsonFormat({
  name: 'karakeep',
  recognitions: [{ has: ['bookmarks.[].content'] }, { has: ['bookmarks', 'lists'] }],
  rowPaths: ['bookmarks.[]'],
  contextOf: listNames,
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

/** The lists stand after the bookmarks. Smart lists are searches and have no pages of their own. */
async function listNames(document: JsonDocument): Promise<ListNames> {
  const names = new Map<string, string>();
  for await (const list of document.valuesAt('lists.[]')) {
    const members = membersOf(list);
    if (textOf(members.get('type')) !== 'smart') {
      names.set(textOf(members.get('id')), textOf(members.get('name')));
    }
  }
  return names;
}
