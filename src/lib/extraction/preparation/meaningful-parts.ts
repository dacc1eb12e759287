import { attribute, type DomElement, isElement, isText, startOf } from '../dom.js';

const JUDGED: ReadonlySet<string> = new Set([
  'div',
  'section',
  'p',
  'ul',
  'ol',
  'table',
  'footer',
  'h1',
  'h2',
]);
const MEANINGFUL: ReadonlySet<string> = new Set([
  'blockquote',
  'pre',
  'dl',
  'math',
  'mjx-container',
]);
const BOXES: ReadonlySet<string> = new Set(['div', 'section']);
const LINES: ReadonlySet<string> = new Set(['div', 'p']);
const MOST_SIBLINGS = 60;
const LONGEST_READ = 2_000;
/** The minimum length of the text that an element has itself, outside of its children, to be a paragraph. */
const LEAST_OWN = 40;
const LEAST_SHARE = 0.5;
const MOST_LINKED = 0.2;

/**
 * Returns a function that checks if an element contains a meaningful part of an article: code or a quotation, a
 * paragraph, or one of several parallel lines of text. Readability would remove such an element if it has many links.
 */
export function meaningfulPart(): (element: DomElement) => boolean {
  const isParallel = parallelFinder();
  return (element) =>
    JUDGED.has(nameOf(element)) &&
    (isInQuote(element) ||
      holdsMeaning(element) ||
      isNote(element) ||
      isContents(element) ||
      (nameOf(element) === 'div' && (isParagraph(element) || isParallel(element))));
}

/** Returns the name of an element in lower case. Elements that Readability has renamed have names in upper case. */
const nameOf = ({ localName }: DomElement): string => localName.toLowerCase();

const NOTES = /(?:^|[\s_-])(?:foot|end)-?notes?(?:$|[\s_-])/iu;

/** Returns true if an element is a note, which consists of little more than links in some articles. */
const isNote = (element: DomElement): boolean =>
  NOTES.test(attribute(element, 'class')) || attribute(element, 'role').startsWith('doc-');

const QUOTES: ReadonlySet<string> = new Set(['blockquote', 'pre']);

function isInQuote(element: DomElement): boolean {
  let at = element.parentElement;
  while (at !== null && !QUOTES.has(at.localName)) {
    at = at.parentElement;
  }
  return at !== null;
}

/** Returns true if code, quotations or definitions are at least half of an element's text. */
function holdsMeaning(element: DomElement): boolean {
  if (!BOXES.has(nameOf(element))) {
    return false;
  }
  let held = 0;
  for (const inner of element.querySelectorAll('blockquote, pre, dl, math, mjx-container')) {
    const isOuter = inner.parentElement === null || !MEANINGFUL.has(inner.parentElement.localName);
    held += isOuter ? startOf(inner, LONGEST_READ).length : 0;
  }
  const all = Math.min(startOf(element, LONGEST_READ).length, LONGEST_READ);
  return held > 0 && held >= LEAST_SHARE * all && linkedIn(element) <= LEAST_SHARE * all;
}

/** Matches an address relative to the folder of the page, as pages of one manual link to each other. */
const BESIDE_PAGE = /^(?![a-z][a-z\d+.-]*:)[^/?#]/iu;
const LEAST_CHAPTERS = 3;

/**
 * Returns true if an element lists the chapters of a manual: a list of links to pages in the folder of this page.
 * Menus of a site link to addresses from its root.
 */
function isContents(element: DomElement): boolean {
  const links = [...element.querySelectorAll('li a[href], dt a[href]')];
  return (
    links.length >= LEAST_CHAPTERS &&
    links.every((link) => BESIDE_PAGE.test(attribute(link, 'href'))) &&
    element.querySelector('img, input') === null
  );
}

/** The name of a paragraph that Readability has changed to a box, because it contains two line breaks. */
const RENAMED = 'DIV';

/** Returns true if an element is a paragraph that has text of its own outside of its children, and more of it than text in links. */
function isParagraph(element: DomElement): boolean {
  if (element.localName !== RENAMED) {
    return false;
  }
  let own = 0;
  for (let node = element.firstChild; node; node = node.nextSibling) {
    own += isText(node) ? (node.textContent ?? '').trim().length : 0;
  }
  return own >= LEAST_OWN && own >= linkedIn(element) / 2;
}

function linkedIn(element: DomElement): number {
  let linked = 0;
  for (const link of element.querySelectorAll('a')) {
    linked += startOf(link, LONGEST_READ).length;
  }
  return linked;
}

/** The key of paragraphs without a class. Readability replaces a box with its only paragraph, so the class is lost. */
const PARAGRAPH = 'p';

/** Returns true if an element is one line of text with a link, instead of a box that presents another page. */
const isLine = (element: DomElement): boolean =>
  startOf(element, LONGEST_LINE).length < LONGEST_LINE &&
  element.querySelector('img, h1, h2, h3, h4, h5, h6, li, input, textarea, select, label') ===
    null &&
  [...element.querySelectorAll('a')].length === 1;

const LONGEST_LINE = 200;

type Lines = ReadonlyMap<string, boolean>;

/**
 * Returns a function that checks if an element is a line of text beside lines with the same class that have no links,
 * such as the steps of a manual or the turns of a conversation.
 */
function parallelFinder(): (element: DomElement) => boolean {
  const known = new Map<DomElement, Lines>();
  return (element) => {
    const { parentElement } = element;
    if (parentElement === null || unlinked(element) < 1 || !isLine(element)) {
      return false;
    }
    const lines = known.get(parentElement) ?? linesIn(parentElement);
    known.set(parentElement, lines);
    return (lines.get(attribute(element, 'class')) ?? false) || (lines.get(PARAGRAPH) ?? false);
  };
}

/** Returns for each class of a parent's children if one of them is a line of text without many links. */
function linesIn(parent: DomElement): Lines {
  const lines = new Map<string, boolean>();
  let count = 0;
  for (let node = parent.firstChild; node && count < MOST_SIBLINGS; node = node.nextSibling) {
    if (isElement(node) && LINES.has(nameOf(node))) {
      count += 1;
      const name = attribute(node, 'class') || (nameOf(node) === 'p' ? PARAGRAPH : '');
      lines.set(name, lines.get(name) === true || isPlain(node));
    }
  }
  return lines;
}

const isPlain = (element: DomElement): boolean =>
  unlinked(element) >= LEAST_OWN && linkedIn(element) <= MOST_LINKED * unlinked(element);

const unlinked = (element: DomElement): number =>
  startOf(element, LONGEST_READ).trim().length - linkedIn(element);
