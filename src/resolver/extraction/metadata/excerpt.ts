import { decodeHTML } from 'entities';

import { squeezed } from '../dom/dom.js';
import { metaOf } from '../markup/head-facts.js';
import type { Clues } from './clues.js';
import { ldText } from './json-ld.js';

const DESCRIPTION = { shortest: 40, longest: 400 };
const PARAGRAPH = 80;
const LONGEST = 250;

/** A few lines that say what the page is about: its own description, else its first paragraph. */
export function excerptOf(clues: Clues, paragraphs: readonly string[]): string {
  const own = descriptions(clues);
  const all = own.filter(
    ({ length }) => length >= DESCRIPTION.shortest && length <= DESCRIPTION.longest,
  );
  const fitting = all.find((text) => !/(?:…|\.\.\.)$/u.test(text)) ?? all[0];
  const paragraph = paragraphs.find(({ length }) => length >= PARAGRAPH);
  return fitting ?? shortened(paragraph ?? own[0] ?? paragraphs[0] ?? '');
}

const descriptions = ({ facts, main }: Clues): string[] =>
  [
    metaOf(facts, ['og:description']),
    metaOf(facts, ['description']),
    metaOf(facts, ['twitter:description', 'dc.description', 'dcterms.abstract']),
    ...main.map((node) => ldText(node['description'])),
  ]
    .map((text) => squeezed(decodeHTML(text).replace(/<[^>]{1,200}>/gu, ' ')))
    .filter((text) => text !== '');

/** Cut between words. */
function shortened(text: string): string {
  if (text.length <= LONGEST) {
    return text;
  }
  const cut = text.slice(0, LONGEST);
  const end = cut.lastIndexOf(' ');
  return `${cut.slice(0, end > LONGEST / 2 ? end : LONGEST).trimEnd()}…`;
}
