import { attribute, type DomElement, isElement, isText, labelOf, startOf } from '../dom.js';
import { BLOCKS } from '../markup/kept-html.js';

/**
 * Matches the classes of elements that contain one line of code, such as `line` and `token-line`. Highlighters use such
 * elements because a script or style addresses single lines.
 */
const LINE =
  /(?:^|\s)(?:[\w-]*[_-])?(?:line|row)(?:-(?:content|inner|wrapper|text))?(?:$|\s)|(?:^|\s)codeLine_/u;
/** Matches the classes of elements that contain the line numbers of code. */
export const NUMBERS =
  /(?:^|[\s_-])(?:line-?nos?|line-?numbers?|linenodiv|lnt?|gutter|gl|blob-num|diff-line-num)(?:$|[\s_-])|line-?number/iu;
/** Elements that a page shows beside code for the mouse, but that are not part of the code. */
const CONTROLS: ReadonlySet<string> = new Set(
  'button clipboard-copy select option input template style script'.split(' '),
);
const STARTS: ReadonlySet<string> = new Set(
  [...BLOCKS].filter((name) => name !== 'td' && name !== 'th'),
);
/** Elements in which white space between the children is not visible, even inside `<pre>`. */
const GRIDS: ReadonlySet<string> = new Set('table thead tbody tfoot tr ol ul colgroup'.split(' '));
const UNSEEN = /(?:^|\s)(?:sr-only|visually-hidden|screen-reader-text)(?:$|\s)/u;
const COPY =
  /^(?:copy|copied!?|copy (?:code|to clipboard|text|snippet)|kopieren|copier|copiar|copia|复制|複製|コピー)$/iu;
const LONGEST_CONTROL = 40;
/** The number of characters that show if an element contains only the numbers of lines. */
export const LONGEST_NUMBERS = 4_000;

/**
 * Returns the text of an element with code as a browser shows it. Each element that begins a line in a browser, such as
 * `<br>`, `<div>` or a table row, begins a line of the text. Omits line numbers and buttons.
 */
export function codeText(root: DomElement): string {
  const lines = new CodeLines();
  lines.read(root, areLines(root));
  return lines.text();
}

class CodeLines {
  readonly #lines: string[] = [];
  #line = '';
  /** True if the next text begins a new line, unless this text itself begins with a line break. */
  #isDue = false;

  read(parent: DomElement, areCodes: boolean): void {
    const isGrid = GRIDS.has(parent.localName);
    for (let node = parent.firstChild; node; node = node.nextSibling) {
      if (isText(node)) {
        const text = node.textContent ?? '';
        this.#text(isGrid && text.trim() === '' ? '' : text);
      } else if (isElement(node) && !isBeside(node)) {
        this.#element(node, areCodes);
      }
    }
  }

  text(): string {
    return [...this.#lines, this.#line]
      .join('\n')
      .replace(/^(?:[^\S\n]*\n)+/u, '')
      .trimEnd();
  }

  #element(element: DomElement, areCodes: boolean): void {
    const name = element.localName;
    if (name === 'br') {
      this.#isDue = false;
      this.#break();
    } else if (name === 'img') {
      this.#text(attribute(element, 'alt'));
    } else if (STARTS.has(name)) {
      this.#line = this.#line.trim() === '' ? '' : this.#line;
      this.#block(element, areCodes);
    } else if (isLine(element) || (areCodes && name === 'code')) {
      this.#block(element, areCodes);
    } else {
      this.read(element, areCodes);
    }
  }

  #block(element: DomElement, areCodes: boolean): void {
    if (this.#isDue || this.#line !== '') {
      this.#break();
    }
    this.#isDue = false;
    const before = this.#lines.length;
    this.read(element, areCodes);
    this.#isDue ||= this.#line !== '' || this.#lines.length === before;
  }

  #text(raw: string): void {
    const text = raw.replaceAll('\u00a0', ' ').replaceAll('\u200b', '').replaceAll('\r\n', '\n');
    if (text === '') {
      return;
    }
    if (this.#isDue && !text.startsWith('\n')) {
      this.#break();
    }
    this.#isDue = false;
    const [first = '', ...others] = text.split('\n');
    this.#line += first;
    for (const line of others) {
      this.#break();
      this.#line = line;
    }
  }

  #break(): void {
    this.#lines.push(this.#line.trimEnd());
    this.#line = '';
  }
}

const isLine = (element: DomElement): boolean =>
  element.localName === 'span' &&
  (element.hasAttribute('data-block') || LINE.test(attribute(element, 'class')));

/** Returns true if each line of the code is in a `<code>` element of its own. */
function areLines(root: DomElement): boolean {
  let count = 0;
  for (let node = root.firstChild; node; node = node.nextSibling) {
    if (isElement(node)) {
      count += Number(node.localName === 'code');
    } else if ((node.textContent ?? '').trim() !== '') {
      return false;
    }
  }
  return count > 1;
}

/** Returns true if an element is beside the code: a number of a line, or a button to copy the code. */
export function isBeside(element: DomElement): boolean {
  if (CONTROLS.has(element.localName) || attribute(element, 'role') === 'button') {
    return true;
  }
  if (element.hasAttribute('hidden') || UNSEEN.test(attribute(element, 'class'))) {
    return true;
  }
  const isNumbered = NUMBERS.test(labelOf(element)) || isNumberLink(element);
  const text = startOf(element, isNumbered ? LONGEST_NUMBERS : LONGEST_CONTROL).trim();
  return isNumbered ? /^[\d\s]*$/u.test(text) : isCopyLabel(element, text);
}

/** Returns true for a label such as "Copy". A word of highlighted code may be the same, such as the command `COPY`. */
const isCopyLabel = (element: DomElement, text: string): boolean =>
  COPY.test(text) && (element.localName !== 'span' || element.closest('code') === null);

const isNumberLink = (element: DomElement): boolean =>
  element.localName === 'a' && attribute(element, 'href').startsWith('#');
