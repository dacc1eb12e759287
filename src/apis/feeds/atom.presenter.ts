import { element, emptyElement, textElement } from '../../lib/util/xml.js';
import type { Feed, FeedEntry } from './feed.js';

const NAMESPACE = 'http://www.w3.org/2005/Atom';
const HTML = 'text/html';

export const ATOM_TYPE = 'application/atom+xml';

/** An entry of an Atom feed. Entries of public lists have no address in the reader. */
export type AtomEntry = Omit<FeedEntry, 'readerUrl'> & Partial<Pick<FeedEntry, 'readerUrl'>>;

export interface AtomFeed extends Omit<Feed, 'entries'> {
  readonly entries: readonly AtomEntry[];
}

/** Returns a feed as an Atom document (RFC 4287). */
export function presentAtom(feed: AtomFeed): string {
  const document = element('feed', { xmlns: NAMESPACE }, [
    textElement('id', feed.id),
    textElement('title', feed.title),
    textElement('updated', feed.updated),
    // Entries without an author have the author of the feed (RFC 4287, section 4.1.1), so the feed needs an author.
    person('Satchel'),
    link('self', feed.selfUrl, ATOM_TYPE),
    link('alternate', feed.homeUrl, HTML),
    ...feed.entries.map(presentEntry),
  ]);
  return `<?xml version="1.0" encoding="utf-8"?>\n${document}\n`;
}

const presentEntry = (entry: AtomEntry): string =>
  element('entry', { 'xml:lang': entry.lang }, [
    textElement('id', entry.id),
    textElement('title', entry.title),
    textElement('published', entry.published),
    textElement('updated', entry.updated),
    ...entry.authors.map(person),
    link('alternate', entry.url),
    ...(entry.readerUrl === undefined ? [] : [link('related', entry.readerUrl, HTML)]),
    ...(entry.excerpt === '' ? [] : [textElement('summary', entry.excerpt)]),
    ...(entry.content === undefined
      ? []
      : [textElement('content', entry.content, { type: 'html' })]),
    ...entry.tags.map((term) => emptyElement('category', { term })),
  ]);

const person = (name: string): string => element('author', {}, [textElement('name', name)]);

const link = (rel: string, href: string, type?: string): string =>
  emptyElement('link', { rel, href, type });
