import type { Attributes } from './parse-article.js';

/** Returns the ids to which links of the article lead, except links to notes and back. */
export const jumpsIn = (html: string): ReadonlySet<string> =>
  new Set(
    [...html.matchAll(/href="#(part-[^"]{1,100})"(?![^<>]{0,200}role="doc-)/g)].map(
      ([, id = '']) => id,
    ),
  );

/** Returns the label of a footnote from the id of its element. */
export const labelOf = (id: string): string => id.slice('part-'.length);

/** Returns the language of code from the class of its `<code>` element. */
export const languageOf = (tag: string, attributes: Attributes): string =>
  tag === 'code' ? (/^language-([\w+#.-]{1,20})$/.exec(attributes['class'] ?? '')?.[1] ?? '') : '';
