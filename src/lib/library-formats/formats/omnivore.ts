import type { Source } from '../format.js';
import { itemFrom, NoItem } from '../reading/item-from.js';
import { jsonFormat } from '../reading/json-format.js';
import { secondsOf, textOf, textsOf } from '../reading/read-value.js';
import { beginningOf } from '../reading/text.js';
import { type OmnivoreNotes, omnivoreNotes } from './omnivore-highlights.js';

/**
 * The maximum number of characters that are read from the file with an article's highlights. Real files are much
 * smaller.
 */
const MAX_HIGHLIGHTS_LENGTH = 1_000_000;
const SLUG = /^[^/\\]+$/;

/**
 * The format of files such as `metadata_0_to_20.json` in Omnivore's archive. The highlights of a page are in the file
 * `highlights/<slug>.md` of the archive.
 */
export const omnivore = jsonFormat<Source>({
  name: 'omnivore',
  recognitions: [{ has: ['[].slug', '[].url', '[].savedAt'] }],
  leftOut: {
    page: ['description', 'author', 'thumbnail', 'publishedAt'],
    id: ['id'],
    setting: ['readingProgress'],
  },
  rowPaths: ['[]'],
  contextOf: ({ source }) => Promise.resolve(source),
  itemOf: async (members, source) => {
    const state = textOf(members.get('state')).toLowerCase();
    if (state === 'deleted') {
      return new NoItem('It was deleted before the file was made.');
    }
    const { highlights, note } = await readNotes(source, textOf(members.get('slug')));
    return itemFrom({
      url: textOf(members.get('url')),
      title: textOf(members.get('title')),
      tags: textsOf(members.get('labels'), 'name'),
      status: state === 'archived' ? 1 : 0,
      timeAdded: secondsOf(members.get('savedAt')),
      timeUpdated: secondsOf(members.get('updatedAt')),
      annotations: highlights,
      note,
    });
  },
});

async function readNotes(source: Source, slug: string): Promise<OmnivoreNotes> {
  const file = SLUG.test(slug) ? source.sibling(`highlights/${slug}.md`) : undefined;
  return omnivoreNotes(file === undefined ? '' : await beginningOf(file, MAX_HIGHLIGHTS_LENGTH));
}
