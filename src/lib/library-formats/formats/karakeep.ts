import { itemFrom, NoItem } from '../reading/item-from.js';
import { type JsonDocument, jsonFormat } from '../reading/json-format.js';
import { type NamedLevel, pathOfNames } from '../reading/name-path.js';
import { flagOf, membersOf, secondsOf, textOf, textsOf } from '../reading/read-value.js';

type Lists = ReadonlyMap<string, NamedLevel>;

/**
 * The format of the JSON export of Karakeep (formerly Hoarder). The lists that contain a bookmark are folders
 * of the item.
 */
export const karakeep = jsonFormat({
  name: 'karakeep',
  recognitions: [{ has: ['bookmarks.[].content'] }, { has: ['bookmarks', 'lists'] }],
  leftOut: {
    page: ['content.title', 'content.description', 'content.author', 'content.publisher'],
    setting: ['content.type', 'lists.[].description', 'lists.[].icon', 'lists.[].query'],
  },
  rowPaths: ['bookmarks.[]'],
  contextOf: readLists,
  itemOf: (members, lists) => {
    const content = membersOf(members.get('content'));
    return content.has('url')
      ? itemFrom({
          url: textOf(content.get('url')),
          title: textOf(members.get('title')),
          tags: textsOf(members.get('tags'), 'name'),
          folders: textsOf(members.get('lists')).map((id) => pathOfNames(id, lists)),
          status: members.meaning('archived', flagOf),
          favorite: members.meaning('favourited', flagOf),
          timeAdded: secondsOf(members.get('createdAt')),
          note: textOf(members.get('note')),
        })
      : new NoItem('This entry is not a link.');
  },
});

/**
 * Reads the lists from the end of the file, where they follow the bookmarks. Skips smart lists, because a smart list is
 * a stored search and contains no bookmarks.
 */
async function readLists(document: JsonDocument): Promise<Lists> {
  const lists = new Map<string, NamedLevel>();
  for await (const list of document.valuesAt('lists.[]')) {
    const members = membersOf(list);
    const [id, name] = [textOf(members.get('id')), textOf(members.get('name'))];
    const parentId = textOf(members.get('parentId'));
    if (textOf(members.get('type')) !== 'smart') {
      lists.set(id, { name, parentId });
    }
  }
  return lists;
}
