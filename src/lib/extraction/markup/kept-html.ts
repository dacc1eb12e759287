import type { RawAttributes } from './head-reader.js';

/** Elements that never have content and need no closing tag. */
export const VOID: ReadonlySet<string> = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(
    ' ',
  ),
);

/** Elements that the scanner removes together with their content, because browsers do not show them. */
export const SKIPPED: ReadonlySet<string> = new Set(
  'script style svg template select textarea datalist canvas noframes noembed xmp dialog'.split(
    ' ',
  ),
);

/**
 * Elements whose tags the scanner removes, but whose content it keeps. The scanner writes its own
 * `<html>`, `<head>` and `<body>` tags.
 */
export const UNWRAPPED: ReadonlySet<string> = new Set(['html', 'head', 'body', 'frameset']);

/**
 * Removed elements that can contain any other elements. The scanner always removes them up to their
 * closing tag.
 */
export const WITH_BLOCKS: ReadonlySet<string> = new Set(['template', 'dialog']);

/**
 * Opening tags that cannot occur inside a removed element such as `<script>`. If one of these tags
 * follows, the page has not closed the element, so the scanner stops the removal there. Elements in
 * WITH_BLOCKS are an exception.
 */
export const RESUMING: ReadonlySet<string> = new Set(
  'p div h1 h2 h3 section article main body ul table footer'.split(' '),
);

/**
 * For each opening tag, the elements that the tag implicitly closes. For example, `<li>` closes an
 * open `<li>`. Only the innermost open element is closed.
 */
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
 * Block elements that extracted articles never contain. The scanner keeps the white space around these elements,
 * because after their removal only this white space separates the texts of neighbouring elements.
 */
const LOST_BLOCKS: ReadonlySet<string> = new Set(
  'address aside body center dir fieldset footer form header hgroup legend main menu nav optgroup option'.split(
    ' ',
  ),
);

/** The attributes that the extraction needs after the scan. The scanner removes all other attributes. */
const KEPT_ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'id class href src data srcset alt title rel itemprop itemscope itemtype content datetime pubdate lang dir role ' +
    'aria-hidden aria-modal type width height poster colspan rowspan start reversed value cite name property data-src ' +
    'data-srcset data-original data-lazy-src data-lazy-srcset data-orig-file data-hi-res-src data-full-url data-url data-image data-picture ' +
    'data-video-id data-videoid data-account data-player data-embed-url data-youtube-id data-date data-time data-timestamp data-datetime hidden ' +
    'author data-author data-message-author-role data-testid post-title score slot created created-timestamp depth ' +
    'for checked disabled aria-controls aria-labelledby aria-expanded aria-checked aria-label data-lang data-language data-line-number ' +
    'data-target data-bs-target data-toggle data-bs-toggle playlabel data-title'
  ).split(' '),
);

/** Matches the attributes in which scripts keep the text of a note. */
export const NOTE_ATTRIBUTE =
  /^data-(?:[\w-]*-)?(?:foot|side|margin|end)?note(?:s|-?(?:text|content|html|body))?$/u;

/**
 * The maximum number of `&` and `<` characters in the text of a page. The limit protects the
 * parser, which creates a node for each of them. Of 736 real pages, one has 23,256 such characters,
 * and every other page has at most 4,772.
 */
const MAX_MARKS = 30_000;
/**
 * The maximum number of attributes that are kept in a page. The maximum allows an average of five
 * attributes for each of 20,000 tags. It protects the parser, which creates a node for each
 * attribute.
 */
const MAX_ATTRIBUTES = 100_000;
/**
 * The number of small strings that are joined into one large string. Millions of small strings
 * would need much more memory.
 */
const PIECES_AT_ONCE = 4096;

/** Collects the markup of a page that the scanner does not remove. */
export class KeptHtml {
  readonly #large: string[] = [];
  #small: string[] = [];
  #marks = 0;
  #attributes = 0;
  /**
   * White space that the scanner has read but not written yet. The scanner writes it only if the next tag or text shows
   * that browsers display it.
   */
  #blank = '';
  #isAtBlock = true;

  /**
   * True if the text of the page contains more than MAX_MARKS `&` and `<` characters. All such
   * characters after the maximum are replaced with spaces.
   */
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

  /** Writes an inline tag, or nothing if `written` is empty. */
  part(written: string): void {
    if (written !== '') {
      this.tag(written, '');
    }
  }

  /**
   * Writes an opening tag to the kept markup. Omits the attributes of the tag if the page has reached the maximum
   * number of attributes.
   */
  open(name: string, attributes: RawAttributes): void {
    const isFull = this.#attributes >= MAX_ATTRIBUTES;
    const left = isFull ? new Map<string, string>() : attributes;
    this.#attributes += [...left.keys()].filter(isKept).length;
    this.tag(writtenTag(name, left), name);
  }

  /**
   * Writes text to the kept markup. Omits white space next to a block element, because browsers do
   * not show it. Such white space would be a quarter of the nodes of a page. Keeps all white space
   * in preformatted text.
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
   * Counts the `&` and `<` characters in a text. If the page has more than MAX_MARKS of them,
   * replaces those in this text with spaces. Counts in a loop, because a regular expression would
   * keep all matches in memory.
   */
  #counted(raw: string): string {
    for (let at = 0; at < raw.length && !this.isFlooded; at += 1) {
      const code = raw.charCodeAt(at);
      this.#marks += code === AMPERSAND || code === BRACKET ? 1 : 0;
    }
    // Three patterns with one character each are faster than one pattern with several characters.
    const kept = this.isFlooded ? raw.replace(/&/gu, ' ').replace(/</gu, ' ') : raw;
    return kept.replace(/\0/gu, '');
  }
}

const isKept = (key: string): boolean => KEPT_ATTRIBUTES.has(key) || NOTE_ATTRIBUTE.test(key);

/** Matches a style that shows an element on a line of its own. */
const SHOWN_AS_BLOCK =
  /(?<![\w-])display\s*:\s*(?:block|flex|grid|list-item|table(?:-row)?)(?![\w-])/iu;
/** Matches a style that shows the line ends of a text. */
const SHOWN_WITH_LINES =
  /(?<![\w-])white-space\s*:\s*(?:pre(?:-wrap|-line)?|break-spaces)(?![\w-])/iu;
const AMPERSAND = 0x26;
const BRACKET = 0x3c;
/** Matches a style attribute that hides the element. Ignores custom properties such as `--footer-display`. */
const INVISIBLE = /(?<![\w-])(?:display\s*:\s*none|visibility\s*:\s*hidden)/iu;
/**
 * Matches the ids of hidden elements in which a React server streams content. These elements are
 * not treated as hidden, because a script moves their content to its final place in a browser.
 */
const STREAMED = /^[SB]:/u;

/**
 * Returns an opening tag with only the attributes in KEPT_ATTRIBUTES. Adds the attribute `hidden` if the element is
 * hidden.
 */
function writtenTag(name: string, attributes: RawAttributes): string {
  const kept = [...attributes]
    .filter(([key]) => key !== 'hidden' && isKept(key))
    .map(([key, value]) => ` ${key}="${value.replaceAll('"', '&quot;')}"`);
  const hidden = isHidden(attributes) ? ' hidden=""' : '';
  return `<${name}${kept.join('')}${hidden}${styled(attributes.get('style') ?? '')}>`;
}

const styled = (style: string): string =>
  style === ''
    ? ''
    : (SHOWN_AS_BLOCK.test(style) ? ' data-block=""' : '') +
      (SHOWN_WITH_LINES.test(style) ? ' data-lines=""' : '');

/**
 * A value of the attribute `hidden`. A browser reveals an element with this value when a search in the page finds its
 * text, so the text is treated as visible.
 */
const FOUND = 'until-found';

function isHidden(attributes: RawAttributes): boolean {
  const hidden = attributes.get('hidden')?.toLowerCase() ?? FOUND;
  const hides = hidden !== FOUND || INVISIBLE.test(attributes.get('style') ?? '');
  return hides && !STREAMED.test(attributes.get('id') ?? '');
}
