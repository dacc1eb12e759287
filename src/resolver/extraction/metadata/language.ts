import { metaOf } from '../markup/head-facts.js';
import { type Clues, firstOf, type Source } from './clues.js';
import { ldText } from './json-ld.js';

const SOURCES: readonly Source<string>[] = [
  ({ facts }) => code(facts.lang),
  ({ facts }) =>
    code(metaOf(facts, ['og:locale', 'http-content-language', 'language', 'dc.language'])),
  ({ main }) => main.map((node) => code(ldText(node['inLanguage']))).find((lang) => lang !== ''),
];

/** The language of the page, as it says; "" when it does not. */
export const languageOf = (clues: Clues): string => firstOf(SOURCES, clues) ?? '';

const code = (tag: string): string =>
  /^([a-z]{2,3})(?:[-_]|$)/iu.exec(tag)?.[1]?.toLowerCase() ?? '';
