import { parse } from 'csv-parse/sync';

import type { AnnotationToImport } from '../format.js';
import { csvFormat } from '../reading/csv-format.js';
import { itemFrom } from '../reading/item-from.js';
import { labelledSections } from '../reading/labelled-sections.js';
import { joinTexts } from '../reading/read-value.js';
import { unixSeconds } from '../reading/seconds.js';

/** The tag that Diigo writes for bookmarks without tags. */
const NO_TAG = 'no_tag';
const LABEL = /(?<=^|\s)(Highlight|Sticky notes?|(?<=^)(?:Comments?|Notes?)):/gm;

/** The format of the table that Diigo exports: `title,url,tags,description,comments,annotations,created_at`. */
export const diigo = csvFormat({
  name: 'diigo',
  recognitions: [{ has: ['url', 'comments', 'annotations', 'created_at'] }],
  itemOf: (row) =>
    itemFrom({
      url: row.text('url'),
      title: row.text('title'),
      tags: tagsIn(row.text('tags')).filter((tag) => tag !== NO_TAG),
      timeAdded: unixSeconds(row.text('created_at')),
      annotations: annotationsIn(row.text('annotations')),
      note: joinTexts(row.text('description'), row.text('comments')),
    }),
});

/**
 * Splits the tags of a bookmark at blanks. A tag with several words is in quotes. In the exports of some versions of
 * Diigo, commas separate the tags instead of blanks.
 */
function tagsIn(text: string): readonly string[] {
  const delimiter = text.includes(',') ? ',' : ' ';
  try {
    const [tags = []] = parse(text, { delimiter, relax_quotes: true, ltrim: true, rtrim: true });
    return tags;
  } catch {
    return text.split(delimiter);
  }
}

interface Highlight {
  readonly quote: string;
  readonly notes: string[];
}

/**
 * Parses the highlights and sticky notes of a bookmark. A sticky note belongs to the highlight before it. The notes of
 * a highlight are joined only once, at the end, because a row can have 100,000 notes.
 */
function annotationsIn(text: string): readonly AnnotationToImport[] {
  const highlights: Highlight[] = [];
  for (const section of labelledSections(text.replaceAll(String.raw`\n`, '\n'), LABEL)) {
    const last = highlights.at(-1);
    if (section.label === '' || section.label === 'highlight') {
      highlights.push({ quote: section.text, notes: [] });
    } else if (last === undefined) {
      highlights.push({ quote: '', notes: [section.text] });
    } else {
      last.notes.push(section.text);
    }
  }
  return highlights.map(({ quote, notes }) =>
    notes.length === 0 ? { quote } : { quote, note: notes.join('\n\n') },
  );
}
