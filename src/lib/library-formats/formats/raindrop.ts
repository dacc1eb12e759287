import type { AnnotationToImport } from '../format.js';
import { csvFormat } from '../reading/csv-format.js';
import { itemFrom } from '../reading/item-from.js';
import { labelledSections } from '../reading/labelled-sections.js';
import { flagOfWord } from '../reading/read-value.js';
import { unixSeconds } from '../reading/seconds.js';

/**
 * The separator between the names of nested collections, as in `Research / Plants`. A slash without
 * blanks is part of a name if the path also contains this separator.
 */
const PATH_SEPARATOR = ' / ';
/** The name of the collection to which Raindrop adds a bookmark without a collection. */
const UNSORTED = 'Unsorted';
const LABEL = /^(Highlight|Note):/gm;

/**
 * The format of the table that Raindrop exports:
 * `id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite`.
 */
export const raindrop = csvFormat({
  name: 'raindrop',
  recognitions: [{ has: ['url', 'folder', 'excerpt', 'tags', 'created'] }],
  leftOut: { page: ['excerpt', 'cover'], id: ['id'] },
  itemOf: (row) =>
    itemFrom({
      url: row.text('url'),
      title: row.text('title'),
      tags: row.text('tags').split(','),
      folders: [collectionsIn(row.text('folder'))],
      favorite: row.meaning('favorite', flagOfWord),
      timeAdded: unixSeconds(row.text('created')),
      annotations: highlightsIn(row.text('highlights')),
      note: row.text('note'),
    }),
});

const collectionsIn = (path: string): readonly string[] =>
  path
    .split(path.includes(PATH_SEPARATOR) ? PATH_SEPARATOR : '/')
    .filter((name) => name.trim() !== UNSORTED);

/**
 * Parses the highlights of a bookmark, which are lines such as `Highlight:…` and `Note:…`. A note belongs to the
 * highlight before it.
 */
function highlightsIn(text: string): readonly AnnotationToImport[] {
  const highlights: AnnotationToImport[] = [];
  for (const section of labelledSections(text, LABEL)) {
    const last = highlights.at(-1);
    if (section.label === 'note' && last !== undefined && last.note === undefined) {
      highlights[highlights.length - 1] = { ...last, note: section.text };
    } else if (section.label === 'note') {
      highlights.push({ quote: '', note: section.text });
    } else {
      highlights.push({ quote: section.text });
    }
  }
  return highlights;
}
