import { itemFrom } from '../reading/item-from.js';
import { type JsonDocument, jsonFormat } from '../reading/json-format.js';
import { isRootFolder, membersOf, secondsOf, textOf, textsOf } from '../reading/read-value.js';

/** What stands around the links: which of them are pinned, and the collection that is being read. */
interface Surroundings {
  readonly pinned: ReadonlySet<string>;
  collection: string;
}

/** The whole account as Linkwarden exports it: a collection becomes a tag of its links. */
export const linkwarden = jsonFormat<Surroundings>({
  name: 'linkwarden',
  recognitions: [{ has: ['collections.[].links'] }],
  rowPaths: ['collections.[].links.[]'],
  contextPaths: ['collections.[].name'],
  addContext: (surroundings, { value }) => {
    surroundings.collection = textOf(value);
  },
  contextOf: async (document) => ({ pinned: await pinnedLinks(document), collection: '' }),
  itemOf: (members, { pinned, collection }) =>
    itemFrom({
      url: textOf(members.get('url')),
      title: textOf(members.get('name')),
      tags: [
        ...textsOf(members.get('tags'), 'name'),
        ...(isRootFolder(collection) ? [] : [collection]),
      ],
      favorite: pinned.has(textOf(members.get('id'))) ? 1 : undefined,
      timeAdded: secondsOf(members.get('importDate')) ?? secondsOf(members.get('createdAt')),
      timeUpdated: secondsOf(members.get('updatedAt')),
    }),
});

/** Their ids; they stand at the end of the file. */
async function pinnedLinks(document: JsonDocument): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const link of document.valuesAt('pinnedLinks.[]')) {
    ids.add(textOf(membersOf(link).get('id')));
  }
  ids.delete('');
  return ids;
}
