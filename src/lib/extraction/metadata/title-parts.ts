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

/** Splits a title at its separators. The parts are the page's own title and the names of its section and site. */
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

/** Removes the names of the site at the start and end of a title. */
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

/** Removes a name from the end of a title. The name may contain a separator, or follow the title without a space. */
function withoutEnd(title: string, name: string): string {
  const marks = marksBefore(title, name);
  return marks.trim() === '' ? title : title.slice(0, -name.length - marks.length);
}

/** Returns the separators between a title and the name of the site at its end. */
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
 * Returns true if a bar or a similar mark precedes a name at the end of a title. After a dash, a colon or an arrow, the
 * name may be part of the title: "O'Reilly - Head First Go", "Recipes: Plum cake".
 */
export const isBehindBar = (title: string, name: string): boolean =>
  /[|│_•]/u.test(marksBefore(title, name));

/** Returns true if a part of a title begins with the name of the site. A site may add more words to its name. */
const beginsWith = ({ text } = NO_PART, name: string): boolean =>
  squashed(text) === name || (name.length > 4 && squashed(text).startsWith(name));

/**
 * Returns true if the last part of a title is the name of the site. After a colon, a longer part may be the title
 * itself: "All that is new: Docker Desktop 5".
 */
const trails = (parts: readonly Part[], name: string): boolean =>
  parts.at(-2)?.separator.includes(':') === true
    ? squashed(parts.at(-1)?.text ?? '') === name
    : beginsWith(parts.at(-1), name);

/**
 * Returns true if the first part of a title is the name of the site. A site may add words to its name before a bar.
 * Before a colon, a longer part is the title: "Docker Images: what is in them".
 */
const leads = (part = NO_PART, name: string): boolean =>
  squashed(part.text) === name || (BAR.test(part.separator) && beginsWith(part, name));

const FEWEST_WORDS = 3;

/**
 * Returns the part of a title before the first bar or similar mark. Returns the whole title if the part is too short.
 */
export function beforeBar(title: string): string {
  const [first = ''] = title.split(/ [|»«·]+ /u);
  return first.split(/\s+/u).length >= FEWEST_WORDS ? first : title;
}

const FEWEST_SIGNS = 8;
const SIGNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/**
 * Removes the section names before the name of the site. In scripts without spaces, an underscore separates section
 * names.
 */
export function beforeSections(title: string): string {
  const [first = ''] = title.split('_');
  return (first.match(SIGNS)?.length ?? 0) >= FEWEST_SIGNS ? first : beforeBar(title);
}
