import {
  aroundMain,
  attribute,
  type DomElement,
  eachElement,
  firstBelow,
  isText,
  labelOf,
  squeezed,
  startOf,
} from '../dom.js';
import { type Block, blocksOf } from '../text/blocks.js';
import { leadsToEvent } from './date-text.js';
import { openingOf } from './excerpt.js';
import { type IsAround, isBeside, isOfOthers, NO_BYLINES, NO_DATES, stands } from './places.js';

/** The headings in the body of a page, and the elements that may contain the author or the date. */
export interface Survey {
  readonly headings: readonly Heading[];
  /** The headings of levels 2 to 4 on the page. */
  readonly subheadings: readonly Heading[];
  readonly bylines: readonly Mark[];
  readonly dates: readonly Mark[];
  /** The number of links in the body of the page. */
  readonly links: number;
  /**
   * Returns the short lines around the headline. The lines after the headline come first. Call this function before the
   * article finder modifies the body.
   */
  readonly opening: () => readonly string[];
  /** Returns the lines of the body outside of comments and reviews. */
  readonly lines: () => readonly string[];
}

export interface Heading {
  readonly text: string;
  readonly order: number;
  /** The address to which the heading links. Empty if the heading has no link. */
  readonly href: string;
}

/** An element that may contain an author or a date, according to its markup. */
export interface Mark {
  readonly text: string;
  /** The links inside the element, or the element itself if it is a link. */
  readonly links: readonly NamedLink[];
  /**
   * The uncertainty of the author or date in this element. The value 0 means that markup such as
   * microdata declares the author or date. The value is higher if only a class suggests one.
   */
  readonly doubt: number;
  readonly order: number;
}

interface NamedLink {
  readonly text: string;
  readonly url: string;
}

export const EMPTY_SURVEY: Survey = {
  headings: [],
  subheadings: [],
  bylines: [],
  dates: [],
  links: 0,
  opening: () => [],
  lines: () => [],
};

const MAX_MARKS = 60;
const MAX_LINKS = 10;
const MAX_HEADINGS = 200;
const LONGEST_MARK = 200;
/**
 * The maximum number of characters, including blanks, that are read of an element. A longer text is not a name, a date
 * or a headline.
 */
const LONGEST_READ = 10_000;
/**
 * The maximum number of elements that are checked for an author. The same maximum applies to dates. The limit saves
 * time on pages with many nested elements whose class suggests an author or a date.
 */
const MAX_TRIED = 1_000;

/** Collects the headings and the possible authors and dates in the body of a page. Visits each element only once. */
export function surveyOf(body: DomElement): Survey {
  const headings: Heading[] = [];
  const subheadings: Heading[] = [];
  const [bylines, dates] = [new Marks(), new Marks()];
  let [order, links] = [0, 0];
  const isAround = aroundMain(body);
  eachElement(body, (element) => {
    order += 1;
    links += element.localName === 'a' ? 1 : 0;
    const label = labelOf(element);
    if (isBeside(element, label, isAround)) {
      return false;
    }
    takeHeading(element, order, element.localName === 'h1' ? headings : subheadings);
    bylines.take(bylineDoubt(element, label), order, bylineReading(element, isAround));
    dates.take(dateDoubt(element, label), order, dateReading(element, isAround));
    return true;
  });
  const lines = once(() => linesOutside(body, isAround));
  return {
    headings,
    subheadings,
    bylines: bylines.found,
    dates: dates.found,
    links,
    opening: once(() => openingOf(lines())),
    lines: once(() => lines().map(({ text }) => text)),
  };
}

/** Returns the lines of the page that are not from others, such as comments and embedded posts. */
const linesOutside = (body: DomElement, isAround: IsAround): Block[] =>
  blocksOf(body).filter(({ element }) => !isOfOthers(element, isAround));

const bylineReading = (element: DomElement, isAround: IsAround): MarkReading => ({
  text: () => (stands(element, NO_BYLINES, isAround) ? '' : bylineOf(element)),
  links: () => linksOf(element),
});

const dateReading = (element: DomElement, isAround: IsAround): MarkReading => ({
  text: () =>
    stands(element, NO_DATES, isAround) || isOfOthers(element, isAround) ? '' : dateOf(element),
  links: () => [],
});

function takeHeading(element: DomElement, order: number, taken: Heading[]): void {
  if (HEADING.test(element.localName) && taken.length < MAX_HEADINGS) {
    taken.push({ text: headingText(element), order, href: hrefOf(element) });
  }
}

/**
 * Matches the mark of a link from a heading to itself, which documentation shows beside the heading, and the label
 * "Title:", which archives of papers show before it.
 */
const AROUND_HEADING = /^title:(?=\S)|^title: |\s?¶$|\s[#§🔗]$/giu;

const headingText = (element: DomElement): string => startLine(element).replace(AROUND_HEADING, '');

/**
 * Returns a function that calls `make` once and caches the result. For most pages, the result is not needed. For the
 * other pages, the result is needed several times.
 */
function once<T>(make: () => T): () => T {
  let made: { readonly it: T } | undefined;
  return () => (made ??= { it: make() }).it;
}

/**
 * Functions that read an element which may contain an author or a date. `links` is called only if the result of `text`
 * is suitable.
 */
interface MarkReading {
  readonly text: () => string;
  readonly links: () => readonly NamedLink[];
}

class Marks {
  readonly found: Mark[] = [];
  #tried = 0;

  take(doubt: number | undefined, order: number, { text: read, links }: MarkReading): void {
    if (doubt === undefined || this.found.length >= MAX_MARKS || this.#tried >= MAX_TRIED) {
      return;
    }
    this.#tried += 1;
    const text = read();
    if (text !== '' && text.length < LONGEST_MARK) {
      this.found.push({ text, links: links(), doubt, order });
    }
  }
}

/**
 * Returns the index of the first pattern that matches `label`, which is the class and id of an element. Returns -1 if
 * no pattern matches. Skips the slow patterns if the element has no class and no id, which is the most frequent case.
 */
const firstMatch = (patterns: readonly RegExp[], label: string): number =>
  label === '' ? -1 : patterns.findIndex((pattern) => pattern.test(label));

const AUTHOR_CLASS: readonly RegExp[] = [
  /(?:^|[\s_-])(?:author[_-]?names?|byline[_-]{1,2}(?:author|name|link)|p-author|author__name|authors?-link|article[_-]{1,2}author)(?:$|[\s_-])/iu,
  /(?:^|[\s_-])(?:by-?lines?|authors?|autor(?:en)?|auteur|writer|posted-by|entry-author|post-author|contributor)(?:$|\s)/iu,
  /(?:byline|author)/iu,
];

const AUTHOR_ADDRESS =
  /\/(?:authors?|autor(?:en|in)?|auteurs?|contributors?|editors?|reporters?|columnists?|newsteam|staff)\/[^/?#]{3,80}\/?$/iu;

function bylineDoubt(element: DomElement, label: string): number | undefined {
  if (/(?:^|\s)(?:author|creator)(?:$|\s)/iu.test(attribute(element, 'itemprop'))) {
    return 0;
  }
  if (/(?:^|\s)author(?:$|\s)/iu.test(attribute(element, 'rel'))) {
    return 1;
  }
  const found = firstMatch(AUTHOR_CLASS, label);
  return found >= 0 ? 2 + found : isLinkToAuthor(element) ? 4 : undefined;
}

const isLinkToAuthor = (element: DomElement): boolean =>
  element.localName === 'a' && AUTHOR_ADDRESS.test(attribute(element, 'href').slice(-200));

function bylineOf(element: DomElement): string {
  const [named = element] = firstBelow(element, 1, isName);
  return attribute(named, 'content') || linesOf(named) || attribute(element, 'title');
}

const isName = (element: DomElement): boolean => attribute(element, 'itemprop') === 'name';

const linksOf = (element: DomElement): NamedLink[] =>
  (element.localName === 'a' ? [element] : firstBelow(element, MAX_LINKS, isLink)).map((link) => ({
    text: startLine(link),
    url: attribute(link, 'href'),
  }));

const isLink = (element: DomElement): boolean =>
  element.localName === 'a' && element.hasAttribute('href');

const HEADING = /^h[1-4]$/u;

/**
 * Returns the address to which a heading links. Returns an empty text if the link does not contain the whole text of
 * the heading.
 */
function hrefOf(heading: DomElement): string {
  const around = heading.parentElement?.localName === 'a' ? heading.parentElement : undefined;
  const [inner = around] = firstBelow(heading, 1, isLink);
  return inner && startLine(inner) === startLine(heading) ? attribute(inner, 'href') : '';
}

const startLine = (element: DomElement): string => squeezed(startOf(element, LONGEST_READ));

/**
 * Returns the text of an element, with each block on its own line. The line ends separate an author's name from other
 * text, because a name never extends over two blocks.
 */
const linesOf = (element: DomElement): string =>
  startOf(element, LONGEST_READ).length < LONGEST_READ
    ? blocksOf(element)
        .map(({ text }) => text)
        .join('\n')
    : '';

const DATE_CLASS: readonly RegExp[] = [
  /(?:^|[\s_-])(?:date[_-]?published|published?(?:[_-]?(?:date|at|on|time))?|pub[_-]?date|post(?:ed)?[_-]?(?:date|on)|entry[_-]date|article[_-]{1,2}date|dt-published)(?:$|[\s_-])/iu,
  /(?:^|[\s_-])(?:date|datum|time|timestamp|dateline|posted|fecha|data)(?:$|[\s_-])/iu,
];

function dateDoubt(element: DomElement, label: string): number | undefined {
  const property = attribute(element, 'itemprop');
  if (/datePublished/iu.test(property)) {
    return 0;
  }
  if (/dateModified/iu.test(property)) {
    return 9;
  }
  if (element.localName === 'time') {
    return /modified|updated/iu.test(labelOf(element))
      ? 8
      : element.hasAttribute('pubdate')
        ? 0
        : 1;
  }
  const found = firstMatch(DATE_CLASS, label);
  return found < 0 ? undefined : 2 + found;
}

function dateOf(element: DomElement): string {
  const before = element.parentElement?.firstChild;
  const isOfEvent = before && isText(before) && leadsToEvent(before.textContent ?? '');
  return isOfEvent === true ? '' : dateIn(element);
}

const dateIn = (element: DomElement): string =>
  ['datetime', 'content', 'data-datetime', 'data-date', 'data-timestamp']
    .map((name) => attribute(element, name))
    .find((value) => value !== '') ?? startLine(element);
