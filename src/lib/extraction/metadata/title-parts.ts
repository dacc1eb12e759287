import { squeezed } from '../dom.js';
import { squashed } from './similarity.js';

const LONGEST = 2_000;
const MOST_PARTS = 20;
const SEPARATOR = / [|\-–—»«·•:~/]+ | ?[|│»«•] ?|: (?=[^:]+$)/u;
const BAR = /[|│»«•]/u;

interface Part {
  readonly text: string;
  readonly separator: string;
}

const NO_PART: Part = { text: '', separator: '' };

/**
 * Splits a title at its separators. One part is the title of the page, and the other parts are the names of the section
 * and the site.
 */
export function partsOf(title: string): Part[] {
  const parts: Part[] = [];
  let rest = squeezed(title.slice(0, LONGEST));
  for (
    let found = SEPARATOR.exec(rest);
    found && parts.length < MOST_PARTS;
    found = SEPARATOR.exec(rest)
  ) {
    parts.push({ text: rest.slice(0, found.index), separator: found[0] });
    rest = rest.slice(found.index + found[0].length);
  }
  return [...parts, { text: rest, separator: '' }];
}

/** Removes the names of the site from the start and the end of a page's title. */
export function withoutNames(title: string, names: readonly string[]): string {
  const parts = partsOf(names.reduce(withoutEnd, squeezed(title.slice(0, LONGEST))));
  const words = names.map(squashed).filter((name) => name.length > 2);
  while (parts.length > 1 && words.some((name) => trails(parts, name))) {
    parts.pop();
  }
  while (parts.length > 1 && words.some((name) => leads(parts[0], name))) {
    parts.shift();
  }
  return parts
    .map(({ text, separator }, index) => (index === parts.length - 1 ? text : text + separator))
    .join('');
}

const SHORTEST_NAME = 4;
const MARK = /[\s|│:：_\-–—»«·•~/]/u;

/**
 * Removes the name of the site from the end of a title. The name may contain a separator. No blank is required between
 * the title and the name.
 */
function withoutEnd(title: string, name: string): string {
  const marks = marksBefore(title, name);
  return marks.trim() === '' ? title : title.slice(0, -name.length - marks.length);
}

/** Returns the separators between the title of the page and the name of the site that follows it. */
function marksBefore(title: string, name: string): string {
  const isAtEnd = name.length >= SHORTEST_NAME && title.endsWith(name);
  const before = isAtEnd ? title.slice(0, -name.length) : '';
  let from = before.length;
  while (from > 0 && MARK.test(before.charAt(from - 1))) {
    from -= 1;
  }
  return from > 0 ? before.slice(from) : '';
}

/**
 * Returns true if a bar, an underscore or a bullet precedes the name of the site at the end of a title. After a dash, a
 * colon or an arrow, the name may belong to the title of the page: "O'Reilly - Head First Go", "Recipes: Plum cake".
 */
export const isBehindBar = (title: string, name: string): boolean =>
  /[|│_•]/u.test(marksBefore(title, name));

/** Returns true if a part of a title begins with the name of the site. More words may follow the name in this part. */
const beginsWith = ({ text } = NO_PART, name: string): boolean =>
  squashed(text) === name || (name.length > 4 && squashed(text).startsWith(name));

/**
 * Returns true if the last part of a title is the name of the site. After a colon, the last part must be exactly the
 * name. A longer part after a colon may belong to the title of the page: "All that is new: Docker Desktop 5".
 */
const trails = (parts: readonly Part[], name: string): boolean =>
  parts.at(-2)?.separator.includes(':') === true
    ? squashed(parts.at(-1)?.text ?? '') === name
    : beginsWith(parts.at(-1), name);

/**
 * Returns true if the first part of a title is the name of the site. Before a bar, more words may follow the name.
 * Before a colon, a part with more words belongs to the title of the page: "Docker Images: what is in them".
 */
const leads = (part = NO_PART, name: string): boolean =>
  squashed(part.text) === name || (BAR.test(part.separator) && beginsWith(part, name));

const FEWEST_WORDS = 3;

/**
 * Returns the part of a title before its first bar or similar separator. Returns the whole title if this part has too
 * few words.
 */
export function beforeBar(title: string): string {
  const [first = ''] = title.split(/ [|»«·]+ /u);
  return first.split(/\s+/u).length >= FEWEST_WORDS ? first : title;
}

const FEWEST_SIGNS = 8;
const SIGNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/**
 * Returns a title without the names of the section and the site at its end. An underscore precedes these names on
 * Chinese, Japanese and Korean pages, and a bar or a similar separator on other pages.
 */
export function beforeSections(title: string): string {
  const [first = ''] = title.split('_');
  return (first.match(SIGNS)?.length ?? 0) >= FEWEST_SIGNS ? first : beforeBar(title);
}
