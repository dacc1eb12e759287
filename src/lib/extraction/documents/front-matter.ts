import { defined } from '../../util/defined.js';
import { dateIn } from '../metadata/date-text.js';
import { plain } from '../plain-text.js';
import { type DocumentFacts, MAX_TITLE } from './document-facts.js';

/** Matches the metadata at the start of a Markdown document, in YAML or TOML. */
const FRONT_MATTER = /^\uFEFF?(---|\+\+\+)[^\S\n]*\n([^]{0,10000}?)\n\1[^\S\n]*(?:\n|$)/u;
const MOST_AUTHORS = 20;

/** A Markdown document without its front matter, and the metadata in the front matter. */
interface WithoutFrontMatter {
  readonly body: string;
  readonly facts: Pick<DocumentFacts, 'title' | 'authors' | 'published' | 'language'>;
}

/** Separates the front matter of a Markdown document from its text. */
export function withoutFrontMatter(text: string): WithoutFrontMatter {
  const [all = '', , matter = ''] = FRONT_MATTER.exec(text) ?? [];
  const lines = matter.split('\n');
  const authors = ['author', 'authors', 'by', 'creator'].flatMap((key) => valuesOf(key, lines));
  const published = ['date', 'published', 'publishdate', 'pubdate', 'created']
    .flatMap((key) => valuesOf(key, lines))
    .map((value) => dateIn(value, { monthFirst: false })?.day)
    .find((day) => day !== undefined);
  const facts = defined<WithoutFrontMatter['facts']>({
    title: plain(valuesOf('title', lines)[0] ?? '', MAX_TITLE),
    authors: authors.length > 0 ? authors.slice(0, MOST_AUTHORS) : undefined,
    published,
    language: valuesOf('lang', lines)[0] ?? valuesOf('language', lines)[0],
  });
  return { body: text.slice(all.length), facts };
}

/**
 * Returns the values of a key: one text, a list in brackets, or a list with one entry per line. Of an entry that is an
 * object, returns the name.
 */
function valuesOf(key: string, lines: readonly string[]): string[] {
  const start = new RegExp(`^${key}\\s{0,9}[:=](.*)$`, 'iu');
  const at = lines.findIndex((line) => start.test(line));
  const value = start.exec(lines[at] ?? '')?.[1]?.trim() ?? '';
  const below = lines.slice(at + 1);
  const end = below.findIndex((line) => !/^\s+\S|^-\s/u.test(line));
  const entries = value === '' ? below.slice(0, end < 0 ? undefined : end) : listed(value);
  return at < 0 ? [] : entries.map(bare).filter((text) => text !== '');
}

const listed = (value: string): string[] =>
  /^\[.*\]$/u.test(value) ? value.slice(1, -1).split(',') : [value];

const bare = (value: string): string =>
  value
    .trim()
    .replace(/^- ?/u, '')
    .replace(/^name\s?:\s?/u, '')
    .replace(/^(["'])(.*)\1$/u, '$2')
    .trim();
