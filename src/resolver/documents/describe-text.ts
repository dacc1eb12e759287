import { defined } from '../../common/defined.js';
import { guessedLanguage } from '../extraction/metadata/language-guess.js';
import { plain } from '../plain-text.js';
import { type DocumentFacts, MAX_EXCERPT } from './document-facts.js';
import { documentWords } from './document-words.js';

/** A first line that is longer is a paragraph. */
const MAX_HEADING = 120;
const READ_CHARACTERS = 20_000;

/** A text's first line is its title, when it is short enough to be one. */
export function describeText(text: string): DocumentFacts {
  const lines = text.slice(0, READ_CHARACTERS).split(/\r\n?|\n/);
  const first = lines.findIndex((line) => /[\p{L}\p{N}]/u.test(line));
  const heading = plain((lines[first] ?? '').replace(/^[\s#=*]+|[\s#=*]+$/g, ''), READ_CHARACTERS);
  const isTitle = heading !== undefined && heading.length <= MAX_HEADING && lines.length > 1;
  return defined<DocumentFacts>({
    title: isTitle ? heading : undefined,
    excerpt: plain(lines.slice(isTitle ? first + 1 : Math.max(first, 0)).join('\n'), MAX_EXCERPT),
    language: guessedLanguage(text) || undefined,
    wordCount: documentWords(text),
  });
}
