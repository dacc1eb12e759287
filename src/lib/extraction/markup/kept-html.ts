import type { RawAttributes } from './head-reader.js';

/** Elements that never have content and need no closing tag. */
export const VOID: ReadonlySet<string> = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(
    ' ',
  ),
);

/** Elements that the scanner removes together with their content, because browsers do not show them. */
export const SKIPPED: ReadonlySet<string> = new Set(
  'script style svg template select textarea datalist canvas noframes noembed xmp math dialog'.split(
    ' ',
  ),
);

/**
 * Tags that the scanner removes, but not the content of their elements. The scanned document gets new tags with these
 * names.
 */
export const UNWRAPPED: ReadonlySet<string> = new Set(['html', 'head', 'body', 'frameset']);

/** Elements that the scanner removes together with their content, even if they contain block elements. */
export const WITH_BLOCKS: ReadonlySet<string> = new Set(['template', 'dialog']);

/**
 * Tags that show that a removed element has ended although the page does not close it. They do not end the elements in
 * WITH_BLOCKS.
 */
export const RESUMING: ReadonlySet<string> = new Set(
  'p div h1 h2 h3 section article main body ul table footer'.split(' '),
);

/** The names of those elements that an opening tag closes if one of them is the innermost open element. */
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

/** The block elements, each of which begins a new line. */
export const BLOCKS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body caption center dd details dir div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol optgroup option p pre section summary table tbody td tfoot ' +
    'th thead tr ul'
  ).split(' '),
);

/**
 * Block elements that no article keeps. The white space around them is kept, because it is all that separates the texts
 * of neighbouring elements.
 */
const LOST_BLOCKS: ReadonlySet<string> = new Set(
  'address aside body center dir fieldset footer form header hgroup legend main menu nav optgroup option'.split(
    ' ',
  ),
);

/** The attributes that later steps of the extraction read. The scanner removes all other attributes. */
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
 * The maximum number of character references, and of brackets that open no tag. The limit protects the parser, which
 * creates a node for each of them. Of 736 real pages, one has 23,256 of them, and every other page has at most 4,772.
 */
const MAX_MARKS = 30_000;
/**
 * The maximum number of attributes in a page, which is five for each kept tag. The limit protects the parser, which
 * creates a node for each attribute.
 */
const MAX_ATTRIBUTES = 100_000;
/**
 * The number of small strings that are joined into a large string. Millions of small strings need much more memory than
 * a few large strings.
 */
const PIECES_AT_ONCE = 4096;

/** Collects that part of a page's markup which the scanner keeps. */
export class KeptHtml {
  readonly #large: string[] = [];
  #small: string[] = [];
  #marks = 0;
  #attributes = 0;
  /**
   * White space that the scanner has read but not yet written. It is written only if the next tag shows that browsers
   * display it.
   */
  #blank = '';
  #isAtBlock = true;

  /** True if the page has too many character references and brackets, so that those after the limit were removed. */
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

  /** Writes an opening tag to the kept markup. Omits the attributes if the page already has too many of them. */
  open(name: string, attributes: RawAttributes): void {
    const isFull = this.#attributes >= MAX_ATTRIBUTES;
    const left = isFull ? new Map<string, string>() : attributes;
    this.#attributes += [...left.keys()].filter((key) => KEPT_ATTRIBUTES.has(key)).length;
    this.tag(writtenTag(name, left), name);
  }

  /**
   * Writes text to the kept markup. Omits white space next to blocks, which browsers do not show, unless the text is
   * preformatted. Otherwise, a quarter of a page's nodes would be such white space.
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

  /**
   * Counts the character references and brackets in a text, and replaces them after the limit. Uses a loop, because a
   * regular expression would keep all matches in memory.
   */
  #counted(raw: string): string {
    for (let at = 0; at < raw.length && !this.isFlooded; at += 1) {
      const code = raw.charCodeAt(at);
      this.#marks += code === AMPERSAND || code === BRACKET ? 1 : 0;
    }
    // Each pattern matches only one fixed character, which is faster than a pattern for several characters.
    const kept = this.isFlooded ? raw.replace(/&/gu, ' ').replace(/</gu, ' ') : raw;
    return kept.replace(/\0/gu, '');
  }
}

const AMPERSAND = 0x26;
const BRACKET = 0x3c;
/** Matches a style that hides its element. Does not match custom properties such as `--footer-display`. */
const INVISIBLE = /(?<![\w-])(?:display\s*:\s*none|visibility\s*:\s*hidden)/iu;
/**
 * Matches the ids of hidden elements that contain streamed content of React. In a browser, a script moves this content
 * to its place.
 */
const STREAMED = /^[SB]:/u;

/** Returns a tag with those attributes that are kept. Adds the attribute `hidden` if a style hides the element. */
function writtenTag(name: string, attributes: RawAttributes): string {
  const kept = [...attributes]
    .filter(([key]) => key !== 'hidden' && KEPT_ATTRIBUTES.has(key))
    .map(([key, value]) => ` ${key}="${value.replaceAll('"', '&quot;')}"`);
  return `<${name}${kept.join('')}${isHidden(attributes) ? ' hidden=""' : ''}>`;
}

/**
 * The value of the attribute `hidden` on elements that a browser reveals during a search in the page. The content of
 * these elements counts as visible text.
 */
const FOUND = 'until-found';

function isHidden(attributes: RawAttributes): boolean {
  const hidden = attributes.get('hidden')?.toLowerCase() ?? FOUND;
  const hides = hidden !== FOUND || INVISIBLE.test(attributes.get('style') ?? '');
  return hides && !STREAMED.test(attributes.get('id') ?? '');
}

/**
 * Matches the classes of pictures that show a formula on a wiki. The page hides the MathML of the formula beside the
 * picture, or does not contain it.
 */
const DRAWN_FORMULA = /(?:^|\s)(?:mwe-math-fallback-image-(?:inline|display)|tex)(?:$|\s)/u;

/** Returns the TeX of a formula if the tag is a picture of a formula. Returns an empty text for any other tag. */
export function drawnFormula(name: string, attributes: RawAttributes): string {
  const tex = attributes.get('alt') ?? '';
  return name === 'img' && tex !== '' && DRAWN_FORMULA.test(attributes.get('class') ?? '')
    ? writtenFormula(tex)
    : '';
}

/**
 * Returns the TeX of a formula as it is written into the article's text. Omits the command that shows the formula on
 * its own line.
 */
export const writtenFormula = (tex: string): string =>
  `\\(${tex
    .trim()
    .replace(/^\{\\displaystyle (.*)\}$/su, '$1')
    .replaceAll('<', '&lt;')}\\)`;
