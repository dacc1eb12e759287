import {
  attribute,
  type DomElement,
  type DomNode,
  firstBelow,
  isElement,
  isText,
  labelOf,
  startOf,
} from '../dom.js';
import { BLOCKS } from '../markup/kept-html.js';
import { codeLanguage, languageNamed } from './code-language.js';
import { codeText, isBeside } from './code-lines.js';

/**
 * Replaces the content of each `<pre>` with plain text, and records the language of the code in the class of a `<code>`
 * element. Removes labels and buttons beside the code.
 */
export function flattenCode(blocks: readonly DomElement[]): void {
  for (const pre of blocks) {
    if (!isWriting(pre)) {
      flatten(pre);
    }
  }
}

/** Elements of a text that is not code but keeps its line breaks, such as a poem or a mail. */
const OF_WRITING: ReadonlySet<string> = new Set(
  'a b strong i em u s sub sup mark q cite'.split(' '),
);

/** Returns true if a `<pre>` contains a text with links instead of code. Such a text stays as it is. */
function isWriting(pre: DomElement): boolean {
  let hasLink = false;
  for (const element of pre.querySelectorAll('*')) {
    if (!OF_WRITING.has(element.localName)) {
      return false;
    }
    hasLink ||= /^(?:https?:)?\//u.test(attribute(element, 'href'));
  }
  return hasLink;
}

function flatten(pre: DomElement): void {
  const declared = codeLanguage(pre);
  const { code, label } = onlyCode(pre);
  const text = codeText(code);
  const around = labelAround(pre);
  const language = declared || label || around;
  if (language === '' && pre.querySelector('code') === null) {
    pre.textContent = text;
    return;
  }
  const plain = pre.ownerDocument.createElement('code');
  if (language !== '') {
    plain.setAttribute('class', `language-${language}`);
  }
  plain.textContent = text;
  pre.replaceChildren(plain);
}

/** The maximum length of a label inside `<pre>`, such as the name of the language. */
const LONGEST_LABEL = 40;

/**
 * Returns the only `<code>` element of a `<pre>` if the text beside it is a label. Returns the whole `<pre>` if it has
 * other text or several `<code>` elements.
 */
function onlyCode(pre: DomElement): { readonly code: DomElement; readonly label: string } {
  const [first, ...others] = pre.querySelectorAll('code');
  if (first === undefined || others.length > 0) {
    return { code: pre, label: '' };
  }
  const beside = textBeside(pre, first).trim();
  const isLabel = beside.length <= LONGEST_LABEL && codeText(first) !== '';
  return isLabel ? { code: first, label: languageNamed(beside) ?? '' } : { code: pre, label: '' };
}

/** Returns the text of an element outside of another element, without buttons. */
function textBeside(parent: DomElement, other: DomElement): string {
  let text = '';
  for (let node = parent.firstChild; node; node = node.nextSibling) {
    if (isText(node)) {
      text += node.textContent ?? '';
    } else if (isElement(node) && node !== other && !isBeside(node)) {
      text += textBeside(node, other);
    }
  }
  return text;
}

/** The number of elements around code in which its label is searched. */
const MOST_AROUND = 3;
const BARS: ReadonlySet<string> = new Set(['div', 'span', 'header', 'figcaption', 'p']);

/** Removes the bar above or below code with the name of its language and a button. Returns the language. */
function labelAround(pre: DomElement): string {
  const around = [pre];
  for (let at = pre.parentElement; at && around.length < MOST_AROUND; at = at.parentElement) {
    if (!isWrapper(at)) {
      break;
    }
    around.push(at);
  }
  const bars = around.flatMap((element) =>
    [element.previousElementSibling, element.nextElementSibling].filter((bar) => bar !== null),
  );
  return bars.map(languageOfBar).find((language) => language !== '') ?? '';
}

const MOST_CHILDREN = 4;
const isWrapper = (element: DomElement): boolean =>
  (element.localName === 'div' || element.localName === 'figure') &&
  !hasMoreChildren(element, MOST_CHILDREN);

/** Does not count further than necessary, because a page can have thousands of blocks of code in one element. */
function hasMoreChildren(element: DomElement, most: number): boolean {
  let child = element.firstElementChild;
  for (let count = 0; child && count < most; count += 1) {
    child = child.nextElementSibling;
  }
  return child !== null;
}

/** The maximum number of elements in a bar, such as a label, a button and its icons. */
const MOST_IN_BAR = 60;

const isLarge = (bar: DomElement): boolean =>
  startOf(bar, LONGEST_BAR).length >= LONGEST_BAR ||
  firstBelow(bar, MOST_IN_BAR + 1, () => true).length > MOST_IN_BAR;

function languageOfBar(bar: DomElement): string {
  if (!BARS.has(bar.localName) || isLarge(bar)) {
    return '';
  }
  const text = textBeside(bar, bar).trim();
  const language = isLabelled(bar) ? languageNamed(text) : undefined;
  if (language !== undefined) {
    bar.remove();
  } else if (FILE.test(text)) {
    // Without the class of a bar, Readability keeps the name of the file.
    bar.removeAttribute('class');
  }
  return language ?? '';
}

const LONGEST_BAR = 80;
const FILE = /^[\w@./-]+\.\w{1,8}$/u;
const LABELLED = /lang|code|header|title|toolbar|label|bar/iu;

/** Returns true if an element is a bar beside code, because it has a button or the class of a bar. */
const isLabelled = (bar: DomElement): boolean =>
  bar.localName !== 'p' &&
  (LABELLED.test(labelOf(bar)) || bar.querySelector('button, [class*="lang"]') !== null);

/**
 * Changes `<code>` elements of several lines to `<pre>` elements. Pages use such elements instead of a `<pre>`, with
 * non-breaking spaces as indentation.
 */
export class CodeBlocks {
  readonly #known = new Map<DomElement, readonly DomNode[]>();

  /** Returns the `<pre>` that replaces a `<code>` element. Returns undefined if the element is no block. */
  replace(code: DomElement): DomElement | undefined {
    const parent = code.parentElement;
    if (parent === null || !hasLines(code)) {
      return undefined;
    }
    if (parent.localName === 'p' && !this.#isAlone(code, parent)) {
      return undefined;
    }
    const pre = code.ownerDocument.createElement('pre');
    (parent.localName === 'p' ? parent : code).replaceWith(pre);
    pre.appendChild(code);
    return pre;
  }

  /** Returns true if an element has no text beside it in its parent element. Reads each parent only once. */
  #isAlone(element: DomElement, parent: DomElement): boolean {
    const texts = this.#known.get(parent) ?? firstTexts(parent);
    this.#known.set(parent, texts);
    return texts.every((node) => node === element);
  }
}

const hasLines = (code: DomElement): boolean =>
  [...code.children].some(({ localName }) => localName === 'br' || BLOCKS.has(localName));

/** Returns the first two children of an element that have a text. */
function firstTexts(parent: DomElement): readonly DomNode[] {
  const found: DomNode[] = [];
  for (let node = parent.firstChild; node && found.length < 2; node = node.nextSibling) {
    const text = isElement(node) ? startOf(node, 1) : (node.textContent ?? '');
    if (text.trim() !== '') {
      found.push(node);
    }
  }
  return found;
}
