import {
  attribute,
  type DomElement,
  eachElement,
  isWithin,
  lineOf,
  startOf,
  webAddress,
} from '../dom.js';
import { BLOCKS } from '../markup/kept-html.js';

/**
 * The beginning of each id in an article. The prefix keeps the ids of an article apart from the ids of the page that
 * shows it.
 */
const PREFIX = 'part-';
/** Matches the characters that an XML name, and so an id in an e-book, may not contain (XML 1.0, section 2.3). */
const UNFIT = /[^\w.\-\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u037d\u037f-\u1fff\u3001-\ud7ff]+/gu;
const LONGEST_ID = 80;
const MOST_LINKS = 5_000;
const HEADING = /^h[1-6]$/u;

/** Matches the text of a link to a note: a number, a letter, or a mark such as `*`, with or without brackets. */
const MARK =
  /^[[({]?\s?(?:(?:note|n\.?|nb|fn)\s?)?(?:\d{1,4}|\p{L}|[ivx]{1,5}|[*†‡§‖¶#]{1,4})\s?[\])}.:]?$/iu;
const NOTE_NAMES =
  /(?:^|[\s_-])(?:foot-?notes?|fn|fnref|noteref|reference|endnotes?|note)(?:$|[\s_-])/iu;

/**
 * Makes the links within an article local, even if the page writes them with its full address. Only headings and the
 * targets of links keep an id. Links to notes, notes, and links back get the role of DPUB-ARIA. On further pages of an
 * article, the ids contain the number of the page, because all pages are joined.
 */
export function keepLocalLinks(article: DomElement, base: string, page = 1): void {
  const places = new Places(article, base, page === 1 ? PREFIX : `${PREFIX}p${String(page)}-`);
  places.connect();
}

interface Place {
  readonly element: DomElement;
  /** The first name with which links of the page refer to the element. Empty if it has no name. */
  readonly name: string;
  /** The position of the element among the elements of the article. */
  readonly at: number;
}

interface LocalLink extends Place {
  readonly target: Place;
}

class Places {
  readonly #targets = new Map<string, Place>();
  readonly #links: Place[] = [];
  readonly #headings: Place[] = [];
  readonly #used = new Set<string>();
  /** The next number for a name that several elements have. Without it, each of them would try all numbers again. */
  readonly #next = new Map<string, number>();

  constructor(
    article: DomElement,
    private readonly base: string,
    private readonly prefix: string,
  ) {
    let at = 0;
    eachElement(article, (element) => {
      at += 1;
      this.#look(element, at);
      return true;
    });
  }

  connect(): void {
    const links = this.#links.slice(0, MOST_LINKS).flatMap((link) => this.#local(link));
    const ids = new Map<DomElement, string>();
    for (const { element, name } of this.#headings) {
      ids.set(element, this.#idFor(name || startOf(element, LONGEST_ID)));
    }
    for (const { target } of links) {
      if (!ids.has(target.element)) {
        ids.set(target.element, this.#idFor(target.name));
      }
    }
    ids.forEach((id, element) => {
      element.setAttribute('id', id);
    });
    for (const { element, target } of links) {
      element.setAttribute('href', `#${ids.get(target.element) ?? ''}`);
    }
    markNotes(links);
  }

  #look(element: DomElement, at: number): void {
    const names = namesOf(element);
    const place = { element, at, name: names[0] ?? '' };
    for (const name of names) {
      if (!this.#targets.has(name)) {
        this.#targets.set(name, place);
      }
    }
    clear(element);
    if (element.localName === 'a' && element.hasAttribute('href')) {
      this.#links.push(place);
    } else if (HEADING.test(element.localName)) {
      this.#headings.push(place);
    }
  }

  #local({ element, at, name }: Place): LocalLink[] {
    const fragment = fragmentOf(attribute(element, 'href'), this.base);
    const target = fragment === '' ? undefined : this.#targets.get(fragment);
    return target === undefined ? [] : [{ element, at, name, target }];
  }

  #idFor(name: string): string {
    const fit = name.replace(UNFIT, '-').slice(0, LONGEST_ID);
    const stem = `${this.prefix}${fit.replace(/^-+/u, '').replace(/(?<!-)-+$/u, '')}`;
    let id = stem;
    let number = Math.max(this.#used.size + 2, this.#next.get(stem) ?? 0);
    for (; this.#used.has(id); number += 1) {
      id = `${stem}-${String(number)}`;
    }
    this.#next.set(stem, number);
    this.#used.add(id);
    return id;
  }
}

/** Removes the id of an element, and its role unless it declares a link to a note. */
function clear(element: DomElement): void {
  element.removeAttribute('id');
  const role = attribute(element, 'role');
  if (role !== 'note') {
    element.removeAttribute('role');
  }
  const [first, second] = element.children;
  const link = element.localName === 'a' || second !== undefined ? element : first;
  if (role === 'doc-noteref' && link?.localName === 'a') {
    link.setAttribute('data-note', '');
  }
}

/** Returns the names with which links can refer to an element. An old page names a place with `<a name>`. */
const namesOf = (element: DomElement): string[] =>
  [
    attribute(element, 'id'),
    attribute(element, 'data-kept-id'),
    element.localName === 'a' ? attribute(element, 'name') : '',
  ].filter((name) => name !== '');

/** Returns the fragment of a link to the same page. Returns an empty text for a link to another page. */
function fragmentOf(href: string, base: string): string {
  const at = href.indexOf('#');
  if (at < 0) {
    return '';
  }
  const isHere = at === 0 || withoutHash(webAddress(href, base)) === withoutHash(base);
  return isHere ? decoded(href.slice(at + 1)) : '';
}

const withoutHash = (address: string): string =>
  (address.split('#', 1)[0] ?? '').replace(/^https?:/u, '');

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/**
 * Marks the links to notes, the notes, and the links back from notes. A link to a note has a short text, and its note is
 * after the link.
 */
function markNotes(links: readonly LocalLink[]): void {
  const notes = new Set<DomElement>();
  for (const { element, at, target } of links) {
    if (target.at > at && isNoteLink(element)) {
      element.setAttribute('role', 'doc-noteref');
      raise(element);
      notes.add(noteAround(target.element));
    }
  }
  notes.forEach((note) => {
    note.setAttribute('role', note.localName === 'li' ? 'doc-endnote' : 'doc-footnote');
  });
  for (const { element, at, target } of links) {
    if (target.at < at && isWithin(element, notes)) {
      element.setAttribute('role', 'doc-backlink');
    }
  }
}

/** Raises the number of a note that only a style has raised. Otherwise it would continue the word before it. */
function raise(link: DomElement): void {
  const isRaised = link.closest('sup') !== null || link.querySelector('sup') !== null;
  if (!isRaised && /^[\p{L}\p{N}]+$/u.test(lineOf(link))) {
    const raised = link.ownerDocument.createElement('sup');
    link.replaceWith(raised);
    raised.appendChild(link);
  }
}

const LONGEST_MARK = 12;

function isNoteLink(link: DomElement): boolean {
  const text = startOf(link, LONGEST_MARK).trim();
  if (text === '' || text.length >= LONGEST_MARK) {
    return false;
  }
  return link.hasAttribute('data-note') || (MARK.test(text) && isNamedNote(link));
}

/** Returns true if a link is raised or in brackets, or if it or the element around it is named after notes. */
const isNamedNote = (link: DomElement): boolean =>
  [link.parentElement, link, link.firstElementChild].some(
    (element) => element !== null && isNamed(element),
  ) || /^[[(]/u.test(lineOf(link));

const isNamed = (element: DomElement): boolean =>
  element.localName === 'sup' ||
  NOTE_NAMES.test(`${attribute(element, 'class')} ${attribute(element, 'rel')}`);

/** Returns the block that contains a note. Some pages put the id of a note on its number. */
function noteAround(element: DomElement): DomElement {
  let at = element;
  while (!BLOCKS.has(at.localName) && at.parentElement !== null) {
    at = at.parentElement;
  }
  return at;
}
