import { attribute, type DomElement, eachElement, labelOf, lineOf } from '../dom.js';
import { blocksOf } from '../text/blocks.js';
import { openingOf } from './excerpt.js';

/** What a page shows of itself where readers see it. */
export interface Survey {
  readonly headings: readonly Heading[];
  readonly bylines: readonly Mark[];
  readonly dates: readonly Mark[];
  /** How many links the page has. */
  readonly links: number;
  /** The lines around the headline, those after it first; asked for while the body is whole. */
  readonly opening: () => readonly string[];
}

interface Heading {
  readonly text: string;
  readonly order: number;
}

/** Something marked up as an author or a date. */
export interface Mark {
  readonly text: string;
  /** The links in it, or around it. */
  readonly links: readonly NamedLink[];
  /** 0 for what is named by a vocabulary, more for what a class hints at. */
  readonly doubt: number;
  readonly order: number;
}

interface NamedLink {
  readonly text: string;
  readonly url: string;
}

export const EMPTY_SURVEY: Survey = {
  headings: [],
  bylines: [],
  dates: [],
  links: 0,
  opening: () => [],
};

const MAX_MARKS = 60;
const MAX_LINKS = 10;
const OUTSIDE =
  /(?:^|[\s_-])(?:comments?|comment-?list|disqus|respond|replies|related|recommended|sidebar|recent-posts|most-read|popular)(?:$|[\s_-])/iu;

/** Walks the body once. */
export function surveyOf(body: DomElement): Survey {
  const headings: Heading[] = [];
  const bylines: Mark[] = [];
  const dates: Mark[] = [];
  let order = 0;
  let links = 0;
  eachElement(body, (element) => {
    order += 1;
    links += element.localName === 'a' ? 1 : 0;
    const label = labelOf(element);
    if (OUTSIDE.test(label)) {
      return false;
    }
    if (element.localName === 'h1') {
      headings.push({ text: lineOf(element), order });
    }
    take(bylines, bylineDoubt(element, label), () => ({ ...bylineOf(element), order }));
    take(dates, dateDoubt(element, label), () => ({ text: dateOf(element), links: [], order }));
    return true;
  });
  return { headings, bylines, dates, links, opening: once(() => openingOf(body)) };
}

/** Asked for by some pages only, and then several times. */
function once<T>(make: () => T): () => T {
  let made: { readonly it: T } | undefined;
  return () => (made ??= { it: make() }).it;
}

function take(marks: Mark[], doubt: number | undefined, read: () => Omit<Mark, 'doubt'>): void {
  if (doubt !== undefined && marks.length < MAX_MARKS) {
    const mark = { ...read(), doubt };
    if (mark.text !== '' && mark.text.length < 200) {
      marks.push(mark);
    }
  }
}

/** Most elements have no label, and patterns are dear. */
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

function bylineOf(element: DomElement): Pick<Mark, 'text' | 'links'> {
  const named = element.querySelector('[itemprop="name"]') ?? element;
  const links = element.localName === 'a' ? [element] : [...element.querySelectorAll('a[href]')];
  return {
    text: attribute(named, 'content') || linesOf(named) || attribute(element, 'title'),
    links: links
      .slice(0, MAX_LINKS)
      .map((link) => ({ text: lineOf(link), url: attribute(link, 'href') })),
  };
}

/** A line each: what stands in boxes of their own is no one name. */
const linesOf = (element: DomElement): string =>
  blocksOf(element)
    .map(({ text }) => text)
    .join('\n');

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

const dateOf = (element: DomElement): string =>
  ['datetime', 'content', 'data-datetime', 'data-date', 'data-timestamp']
    .map((name) => attribute(element, name))
    .find((value) => value !== '') ?? lineOf(element);
