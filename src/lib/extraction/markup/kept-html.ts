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

/** Those of them that are made of blocks. */
export const WITH_BLOCKS: ReadonlySet<string> = new Set(['template', 'dialog']);

/** Where the page does not close one of the others, one of these ends it. */
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

/** Elements that begin a line of their own. */
export const BLOCKS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body caption center dd details dir div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol optgroup option p pre section summary table tbody td tfoot ' +
    'th thead tr ul'
  ).split(' '),
);

/** Blocks that no article keeps: white space is all that parts the texts of two of them. */
const LOST_BLOCKS: ReadonlySet<string> = new Set(
  'address aside body center dir fieldset footer form header hgroup legend main menu nav optgroup option'.split(
    ' ',
  ),
);

/** The attributes that extraction reads; all others are removed. */
const KEPT_ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'id class href src srcset alt title rel itemprop itemscope itemtype content datetime pubdate lang dir role ' +
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
/** A parser makes a node of each attribute too: five for each tag that stays. */
const MAX_ATTRIBUTES = 100_000;
/** Millions of small strings take much memory, a few large ones do not. */
const PIECES_AT_ONCE = 4096;

/** What stays of a page. */
export class KeptHtml {
  readonly #large: string[] = [];
  #small: string[] = [];
  #marks = 0;
  #attributes = 0;
  /** White space of which the next tag decides whether it is shown. */
  #blank = '';
  #isAtBlock = true;

  /** Whether some of them were removed. */
  get isFlooded(): boolean {
    return this.#marks > MAX_MARKS;
  }

  tag(written: string, name: string): void {
    const isBlock = BLOCKS.has(name) && !LOST_BLOCKS.has(name);
    this.#push(isBlock ? '' : this.#blank);
    this.#push(written);
    this.#blank = '';
    this.#isAtBlock = isBlock;
  }

  /** A tag that opens, without its attributes once the page has had too many. */
  open(name: string, attributes: RawAttributes): void {
    const isFull = this.#attributes >= MAX_ATTRIBUTES;
    const left = isFull ? new Map<string, string>() : attributes;
    this.#attributes += [...left.keys()].filter((key) => KEPT_ATTRIBUTES.has(key)).length;
    this.tag(writtenTag(name, left), name);
  }

  /**
   * As it stands in the source; but of the nodes of a page a quarter are white space beside blocks, which is not shown,
   * save where a page sets its own lines.
   */
  text(raw: string, isPreformatted: boolean): void {
    if (!isPreformatted && !/\S/u.test(raw)) {
      this.#blank += this.#isAtBlock ? '' : raw;
      return;
    }
    this.#push(this.#blank);
    this.#push(this.#counted(raw));
    this.#blank = '';
    this.#isAtBlock = false;
  }

  toString(): string {
    return [...this.#large, ...this.#small].join('');
  }

  #push(piece: string): void {
    if (piece === '') {
      return;
    }
    this.#small.push(piece);
    if (this.#small.length >= PIECES_AT_ONCE) {
      this.#large.push(this.#small.join(''));
      this.#small = [];
    }
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
function writtenTag(name: string, attributes: RawAttributes): string {
  const kept = [...attributes]
    .filter(([key]) => key !== 'hidden' && KEPT_ATTRIBUTES.has(key))
    .map(([key, value]) => ` ${key}="${value.replaceAll('"', '&quot;')}"`);
  return `<${name}${kept.join('')}${isHidden(attributes) ? ' hidden=""' : ''}>`;
}

/** What a search within the page opens is text of the page. */
const FOUND = 'until-found';

function isHidden(attributes: RawAttributes): boolean {
  const hidden = attributes.get('hidden')?.toLowerCase() ?? FOUND;
  const hides = hidden !== FOUND || INVISIBLE.test(attributes.get('style') ?? '');
  return hides && !STREAMED.test(attributes.get('id') ?? '');
}

/** How wikis draw formulas for browsers; the tree of the formula is hidden beside, or gone. */
const DRAWN_FORMULA = /(?:^|\s)(?:mwe-math-fallback-image-(?:inline|display)|tex)(?:$|\s)/u;

/** The TeX of a formula that is drawn by a picture, "" for any other tag. */
export function drawnFormula(name: string, attributes: RawAttributes): string {
  const tex = attributes.get('alt') ?? '';
  return name === 'img' && tex !== '' && DRAWN_FORMULA.test(attributes.get('class') ?? '')
    ? writtenFormula(tex)
    : '';
}

/** TeX as it stands in text. That it is to be set as on a line of its own is nothing to read. */
export const writtenFormula = (tex: string): string =>
  `\\(${tex
    .trim()
    .replace(/^\{\\displaystyle (.*)\}$/su, '$1')
    .replaceAll('<', '&lt;')}\\)`;
