import { jsonFormat, partsOf } from './json/json-format.js';
import { JsonFault } from './json/json-parts.js';
import type { Source } from './source.js';
import { itemFrom } from './values/item-from.js';
import { membersOf, secondsOf, textOf, textsOf } from './values/read-value.js';
import { isRootFolder } from './values/root-folder.js';

/** What stands around the links: which of them are pinned, and the collection that is being read. */
interface Surroundings {
  readonly pinned: ReadonlySet<string>;
  collection: string;
}

/** The whole account as Linkwarden exports it: a collection becomes a tag of its links. */
export const linkwarden = jsonFormat<Surroundings>({
  name: 'linkwarden',
  matches: (head) => head.hasPaths('collections.[].links'),
  rowPaths: ['collections.[].links.[]'],
  heardPaths: ['collections.[].name'],
  hear: (surroundings, { value }) => {
    surroundings.collection = textOf(value);
  },
  factsOf: async (source) => ({ pinned: await pinnedLinks(source), collection: '' }),
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
async function pinnedLinks(source: Source): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const parts of partsOf(source, ['pinnedLinks.[]'])) {
    for (const part of parts) {
      ids.add(part instanceof JsonFault ? '' : textOf(membersOf(part.value).get('id')));
    }
  }
  ids.delete('');
  return ids;
}
