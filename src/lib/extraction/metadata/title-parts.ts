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

/** What a title is put together of: the page's own title, and where it stands. */
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

/** A title without the parts that are names of its site, before or behind. */
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

/** A name as it is written may have a mark in it, or nothing but a mark between it and the title. */
function withoutEnd(title: string, name: string): string {
  const marks = marksBefore(title, name);
  return marks.trim() === '' ? title : title.slice(0, -name.length - marks.length);
}

/** What stands between a title and the name that it ends with. */
function marksBefore(title: string, name: string): string {
  const isAtEnd = name.length >= SHORTEST_NAME && title.endsWith(name);
  const before = isAtEnd ? title.slice(0, -name.length) : '';
  let from = before.length;
  while (from > 0 && MARK.test(before.charAt(from - 1))) {
    from -= 1;
  }
  return from > 0 ? before.slice(from) : '';
}

/** Behind a dash, a colon or an arrow the title itself may stand: "O'Reilly - Head First Go", "Recipes: Plum cake". */
export const isBehindBar = (title: string, name: string): boolean =>
  /[|│_•]/u.test(marksBefore(title, name));

/** Behind a title a site may say more than its name. */
const beginsWith = ({ text } = NO_PART, name: string): boolean =>
  squashed(text) === name || (name.length > 4 && squashed(text).startsWith(name));

/** Behind a colon that may be the title itself: "All that is new: Docker Desktop 5". */
const trails = (parts: readonly Part[], name: string): boolean =>
  parts.at(-2)?.separator.includes(':') === true
    ? squashed(parts.at(-1)?.text ?? '') === name
    : beginsWith(parts.at(-1), name);

/** So it may before a bar; before a colon that is the title: "Docker Images: what is in them". */
const leads = (part = NO_PART, name: string): boolean =>
  squashed(part.text) === name || (BAR.test(part.separator) && beginsWith(part, name));

const FEWEST_WORDS = 3;

/** A bar parts the title from where it stands, where enough is left of it. */
export function beforeBar(title: string): string {
  const [first = ''] = title.split(/ [|»«·]+ /u);
  return first.split(/\s+/u).length >= FEWEST_WORDS ? first : title;
}

const FEWEST_SIGNS = 8;
const SIGNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** Before the name of the site sections may stand; where words have no spaces, behind an underscore. */
export function beforeSections(title: string): string {
  const [first = ''] = title.split('_');
  return (first.match(SIGNS)?.length ?? 0) >= FEWEST_SIGNS ? first : beforeBar(title);
}
