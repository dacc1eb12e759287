import { parse } from 'csv-parse/sync';

import type { AnnotationToImport } from '../format.js';
import { csvFormat } from '../reading/csv-format.js';
import { itemFrom } from '../reading/item-from.js';
import { labelledSections } from '../reading/labelled-sections.js';
import { joinTexts } from '../reading/read-value.js';
import { unixSeconds } from '../reading/seconds.js';

/** Diigo's tag of a bookmark without tags. */
const NO_TAG = 'no_tag';
const LABEL = /(?<=^|\s)(Highlight|Sticky notes?|(?<=^)(?:Comments?|Notes?)):/gm;

/** `title,url,tags,description,comments,annotations,created_at`. */
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

/** Spaces divide tags, and quotes enclose a tag of two words. Some versions of the export write commas. */
function tagsIn(text: string): readonly string[] {
  const delimiter = text.includes(',') ? ',' : ' ';
  try {
    const [tags = []] = parse(text, { delimiter, relax_quotes: true, ltrim: true, rtrim: true });
    return tags;
  } catch {
    return text.split(delimiter);
  }
}

/** A sticky note belongs to the highlight before it. */
function annotationsIn(text: string): readonly AnnotationToImport[] {
  const annotations: AnnotationToImport[] = [];
  for (const section of labelledSections(text.replaceAll(String.raw`\n`, '\n'), LABEL)) {
    const last = annotations.at(-1);
    if (section.label === '' || section.label === 'highlight') {
      annotations.push({ quote: section.text });
    } else if (last === undefined) {
      annotations.push({ quote: '', note: section.text });
    } else {
      annotations[annotations.length - 1] = {
        ...last,
        note: joinTexts(last.note ?? '', section.text),
      };
    }
  }
  return annotations;
}
