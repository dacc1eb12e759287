import type { RawAttributes } from './head-reader.js';

/** Elements that cannot have content. */
export const VOID: ReadonlySet<string> = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(
    ' ',
  ),
);

/** Elements that are removed with their content, which a browser does not show. */
export const SKIPPED: ReadonlySet<string> = new Set(
  'script style svg template select textarea datalist canvas noframes noembed xmp math dialog'.split(
    ' ',
  ),
);

/** Tags that are removed while their content stays: the document gets new ones. */
export const UNWRAPPED: ReadonlySet<string> = new Set(['html', 'head', 'body', 'frameset']);

/** One of these ends a skipped element that the page does not close. */
export const RESUMING: ReadonlySet<string> = new Set(
  'p div h1 h2 h3 section article main body ul table footer'.split(' '),
);

/** A new one closes the last one of these, where it is the innermost. */
export const IMPLIED_END: Readonly<Record<string, ReadonlySet<string>>> = {
  li: new Set(['li']),
  dt: new Set(['dt', 'dd']),
  dd: new Set(['dt', 'dd']),
  tr: new Set(['tr', 'th', 'td']),
  td: new Set(['td', 'th']),
  th: new Set(['td', 'th']),
  p: new Set(['p']),
  div: new Set(['p']),
  ul: new Set(['p']),
  ol: new Set(['p']),
  table: new Set(['p']),
  option: new Set(['option']),
};

/** The attributes that extraction reads; all others are removed. */
export const KEPT_ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'id class href src srcset alt title rel itemprop itemscope itemtype content datetime lang dir role ' +
    'aria-hidden aria-modal type width height poster colspan rowspan start reversed value cite name property data-src ' +
    'data-srcset data-original data-lazy-src data-lazy-srcset data-orig-file data-hi-res-src data-full-url data-url data-image ' +
    'data-video-id data-videoid data-account data-player data-embed-url data-youtube-id data-date data-time data-timestamp data-datetime hidden ' +
    'author data-author data-testid post-title score slot created created-timestamp depth'
  ).split(' '),
);

/**
 * A parser makes a node of each reference and of each bracket that opens no tag; of 736 real pages one
 * has 23,256, and no other more than 4,772.
 */
const MAX_MARKS = 30_000;
/** Millions of small strings take much memory, a few large ones do not. */
const PIECES_AT_ONCE = 4096;

/** What stays of a page. */
export class KeptHtml {
  readonly #large: string[] = [];
  #small: string[] = [];
  #marks = 0;

  /** Whether some of them were removed. */
  get isFlooded(): boolean {
    return this.#marks > MAX_MARKS;
  }

  tag(written: string): void {
    this.#small.push(written);
    if (this.#small.length >= PIECES_AT_ONCE) {
      this.#large.push(this.#small.join(''));
      this.#small = [];
    }
  }

  /** As it stands in the source. */
  text(raw: string): void {
    this.tag(this.#counted(raw));
  }

  toString(): string {
    return [...this.#large, ...this.#small].join('');
  }

  /** A regular expression that finds them all would keep each in memory. */
  #counted(raw: string): string {
    for (let at = 0; at < raw.length && !this.isFlooded; at += 1) {
      const code = raw.charCodeAt(at);
      this.#marks += code === AMPERSAND || code === BRACKET ? 1 : 0;
    }
    // Of one character each: runs are found one by one.
    const kept = this.isFlooded ? raw.replace(/&/gu, ' ').replace(/</gu, ' ') : raw;
    return kept.replace(/\0/gu, '');
  }
}

const AMPERSAND = 0x26;
const BRACKET = 0x3c;
/** Not a property of the author's own, such as `--footer-display`. */
const INVISIBLE = /(?<![\w-])(?:display\s*:\s*none|visibility\s*:\s*hidden)/iu;
/** Where React puts what it streams, until its script moves it into its place. */
const STREAMED = /^[SB]:/u;

/** A tag with the attributes that are read; styles are reduced to whether they hide it. */
export function writtenTag(name: string, attributes: RawAttributes): string {
  const kept = [...attributes]
    .filter(([key]) => key !== 'hidden' && KEPT_ATTRIBUTES.has(key))
    .map(([key, value]) => ` ${key}="${value.replaceAll('"', '&quot;')}"`);
  return `<${name}${kept.join('')}${isHidden(attributes) ? ' hidden=""' : ''}>`;
}

function isHidden(attributes: RawAttributes): boolean {
  const hides = attributes.has('hidden') || INVISIBLE.test(attributes.get('style') ?? '');
  return hides && !STREAMED.test(attributes.get('id') ?? '');
}
