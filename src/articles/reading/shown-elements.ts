import { escapeUTF8 } from 'entities';

import { MATH_ATTRIBUTES, MATH_TAGS, MATH_VALUE } from '../../lib/extraction/formulas/math-ml.js';
import { BACK_LINK, isLocalLink, NOTE_LINK } from './local-ids.js';
import { type Attributes, webAddressOf } from './parse-article.js';

/** The element that the reader shows for each element of an article. Any other element is replaced with its content. */
export const SHOWN_AS: ReadonlyMap<string, string> = new Map([
  ...(
    'p br hr blockquote q cite pre code kbd samp var em i strong b u s del ins sub sup small mark abbr dfn time span ' +
    'div ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr th td figure figcaption a details summary ' +
    'ruby rt rp bdi bdo wbr'
  )
    .split(' ')
    .map((tag) => [tag, tag] as const),
  // Replaces `section` and `article` with `div`, because the page around the article already uses these two elements.
  ['section', 'div'],
  ['article', 'div'],
  ...MATH_TAGS.map((tag) => [tag, tag] as const),
]);

export const VOID: ReadonlySet<string> = new Set(['br', 'hr', 'wbr', 'col', 'img']);

/** The elements that count as paragraphs when the reader stores the reading position. */
export const PARAGRAPHS: ReadonlySet<string> = new Set(
  'p h1 h2 h3 h4 h5 h6 li blockquote pre figure table dt dd'.split(' '),
);

const isWord = (value: string): boolean => /^[\w-]{1,35}$/.test(value);
const isSmallNumber = (value: string): boolean => /^-?\d{1,5}$/.test(value);
const isSpan = (value: string): boolean => /^[1-9]\d?$/.test(value);
const isAny = (): boolean => true;

type Check = (value: string) => boolean;

/** Boxes with notes and warnings keep their role, which decides how they look. */
const NOTE: Readonly<Record<string, Check>> = { role: (value) => value === 'note' };

const MATH_CHECKS: Readonly<Record<string, Check>> = Object.fromEntries(
  MATH_ATTRIBUTES.map((name): [string, Check] => [name, (value) => MATH_VALUE.test(value)]),
);

const EVERYWHERE: Readonly<Record<string, Check>> = {
  lang: isWord,
  dir: (value) => /^(?:ltr|rtl|auto)$/i.test(value),
};

/**
 * The attributes that article elements may keep, with a check for each value. The list lacks `class` and `style`, so that
 * an article cannot change other parts of the page. `localIdOf` decides which ids stay.
 */
const ATTRIBUTES: ReadonlyMap<string, Readonly<Record<string, Check>>> = new Map<
  string,
  Readonly<Record<string, Check>>
>([
  [
    'a',
    {
      href: (value) => webAddressOf(value) !== undefined || isLocalLink(value),
      title: isAny,
      role: (value) => value === NOTE_LINK || value === BACK_LINK,
    },
  ],
  ['img', { width: isSmallNumber, height: isSmallNumber, title: isAny }],
  ['time', { datetime: (value) => /^[\w:.+ -]{1,40}$/.test(value) }],
  ['td', { colspan: isSpan, rowspan: isSpan }],
  ['th', { colspan: isSpan, rowspan: isSpan }],
  ['ol', { start: isSmallNumber, reversed: isAny }],
  ['li', { value: isSmallNumber }],
  ...['div', 'section', 'blockquote'].map((tag) => [tag, NOTE] as const),
  ...MATH_TAGS.map((tag) => [tag, MATH_CHECKS] as const),
  ['math', { display: (value) => value === 'block', alttext: isAny }],
]);

/** The attributes that the reader adds. Code that is too wide scrolls, also with the keys of the keyboard. */
const ADDED: ReadonlyMap<string, string> = new Map([
  ['a', ' rel="noopener noreferrer"'],
  ['pre', ' tabindex="0"'],
]);

export function attributesOf(tag: string, given: Attributes): string {
  const checks = { ...EVERYWHERE, ...ATTRIBUTES.get(tag) };
  const shown = Object.entries(checks).map(([name, isFit]) => {
    const value = given[name];
    return value !== undefined && isFit(value) ? ` ${name}="${escapeUTF8(value)}"` : '';
  });
  return `${shown.join('')}${ADDED.get(tag) ?? ''}`;
}

const HEADING = /^h([1-6])$/;
const LAST_LEVEL = 6;

/**
 * Adjusts the levels of headings in an article. The title of the page is the only `h1`, and below it, no level is
 * skipped.
 */
export class Headings {
  private last = 1;
  private readonly opens: string[] = [];

  /** Returns the heading element to show for an element. Returns undefined if the element is not a heading. */
  opened(tag: string): string | undefined {
    const [, level] = HEADING.exec(tag) ?? [];
    if (level === undefined) {
      return undefined;
    }
    this.last = Math.min(Math.max(2, Number(level)), this.last + 1, LAST_LEVEL);
    const shown = `h${this.last}`;
    this.opens.push(shown);
    return shown;
  }

  closed(tag: string): string | undefined {
    return HEADING.test(tag) ? this.opens.pop() : undefined;
  }
}
