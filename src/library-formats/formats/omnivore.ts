import type { AnnotationToImport, Source } from '../format.js';
import { itemFrom, NoItem } from '../reading/item-from.js';
import { jsonFormat } from '../reading/json-format.js';
import { secondsOf, textOf, textsOf } from '../reading/read-value.js';
import { beginningOf } from '../reading/text.js';

/** Far above what a user marks in one article. */
const MAX_HIGHLIGHTS_LENGTH = 1_000_000;
/** Lines that begin with its mark. */
const QUOTE = /(?:^>.*(?:\n|$))+/gm;
const SLUG = /^[^/\\]+$/;

/** `metadata_0_to_20.json` of Omnivore's archive, with `highlights/<slug>.md` beside it. */
export const omnivore = jsonFormat<Source>({
  name: 'omnivore',
  recognitions: [{ has: ['[].slug', '[].url', '[].savedAt'] }],
  rowPaths: ['[]'],
  contextOf: ({ source }) => Promise.resolve(source),
  itemOf: async (members, source) => {
    const state = textOf(members.get('state')).toLowerCase();
    return state === 'deleted'
      ? new NoItem('It was deleted before the file was made.')
      : itemFrom({
          url: textOf(members.get('url')),
          title: textOf(members.get('title')),
          tags: textsOf(members.get('labels'), 'name'),
          status: state === 'archived' ? 1 : 0,
          timeAdded: secondsOf(members.get('savedAt')),
          timeUpdated: secondsOf(members.get('updatedAt')),
          annotations: await highlightsOf(source, textOf(members.get('slug'))),
        });
  },
});

async function highlightsOf(source: Source, slug: string): Promise<readonly AnnotationToImport[]> {
  const file = SLUG.test(slug) ? source.sibling(`highlights/${slug}.md`) : undefined;
  if (file === undefined) {
    return [];
  }
  const text = await beginningOf(file, MAX_HIGHLIGHTS_LENGTH);
  return quotesIn(text).map((quote) => ({ quote }));
}

/** The block quotes of a text in Markdown, each without its marks. */
const quotesIn = (markdown: string): readonly string[] =>
  [...markdown.matchAll(QUOTE)].map(([quote]) => quote.replaceAll(/^> ?/gm, '').trim());
