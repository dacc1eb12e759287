import { escapeUTF8 } from 'entities';

import { type Attributes, webAddressOf } from './parse-article.js';

/**
 * Maps each element of an article to the element that the reader shows. Elements that are not in this map are replaced
 * by their text.
 */
export const SHOWN_AS: ReadonlyMap<string, string> = new Map([
  ...(
    'p br hr blockquote q cite pre code kbd samp var em i strong b u s del ins sub sup small mark abbr dfn time span ' +
    'div ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr th td figure figcaption a details summary ' +
    'ruby rt rp bdi bdo wbr'
  )
    .split(' ')
    .map((tag) => [tag, tag] as const),
  // Replaces `section` and `article`, because the page around the article uses these elements itself.
  ['section', 'div'],
  ['article', 'div'],
]);

export const VOID: ReadonlySet<string> = new Set(['br', 'hr', 'wbr', 'col', 'img']);

/** The elements that the reading position counts as paragraphs. */
export const PARAGRAPHS: ReadonlySet<string> = new Set(
  'p h1 h2 h3 h4 h5 h6 li blockquote pre figure table dt dd'.split(' '),
);

const isWord = (value: string): boolean => /^[\w-]{1,35}$/.test(value);
const isSmallNumber = (value: string): boolean => /^-?\d{1,5}$/.test(value);
const isSpan = (value: string): boolean => /^[1-9]\d?$/.test(value);
const isAny = (): boolean => true;

type Check = (value: string) => boolean;

const EVERYWHERE: Readonly<Record<string, Check>> = {
  lang: isWord,
  dir: (value) => /^(?:ltr|rtl|auto)$/i.test(value),
};

/**
 * The allowed attributes of article elements, with checks for their values. No allowed attribute can name or style
 * parts of the page.
 */
const ATTRIBUTES: ReadonlyMap<string, Readonly<Record<string, Check>>> = new Map<
  string,
  Readonly<Record<string, Check>>
>([
  ['a', { href: (value) => webAddressOf(value) !== undefined, title: isAny }],
  ['img', { width: isSmallNumber, height: isSmallNumber, title: isAny }],
  ['time', { datetime: (value) => /^[\w:.+ -]{1,40}$/.test(value) }],
  ['td', { colspan: isSpan, rowspan: isSpan }],
  ['th', { colspan: isSpan, rowspan: isSpan }],
  ['ol', { start: isSmallNumber, reversed: isAny }],
  ['li', { value: isSmallNumber }],
]);

export function attributesOf(tag: string, given: Attributes): string {
  const checks = { ...EVERYWHERE, ...ATTRIBUTES.get(tag) };
  const shown = Object.entries(checks).map(([name, isFit]) => {
    const value = given[name];
    return value !== undefined && isFit(value) ? ` ${name}="${escapeUTF8(value)}"` : '';
  });
  const rel = tag === 'a' ? ' rel="noopener noreferrer"' : '';
  return `${shown.join('')}${rel}`;
}

const HEADING = /^h([1-6])$/;
const LAST_LEVEL = 6;

/** Adjusts the heading levels of an article. The page title is the only `h1`, and no level is skipped below it. */
export class Headings {
  private last = 1;
  private readonly opens: string[] = [];

  /** Returns the heading element to show, or undefined if the element is not a heading. */
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
