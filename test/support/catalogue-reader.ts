import { DOMParser, type Element } from '@xmldom/xmldom';
import request, { type Response, type Test } from 'supertest';

import { ApplicationPasswords } from '../../src/auth/consumers/application-passwords.service.js';
import { Permission } from '../../src/auth/consumers/permission.js';
import { UserRepository } from '../../src/auth/user.repository.js';
import type { SignedIn } from './account-api.js';
import type { TestApp } from './test-app.js';

const ATOM = 'http://www.w3.org/2005/Atom';
const ALLOWED = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
/** RFC 3339 in UTC. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const ACQUISITION = 'http://opds-spec.org/acquisition';

export interface ReadLink {
  readonly rel: string;
  readonly href: string;
  readonly type: string;
}

export interface CatalogueEntry {
  readonly id: string;
  readonly title: string;
  readonly authors: readonly string[];
  readonly tags: readonly string[];
  readonly summary: string | undefined;
  readonly language: string | undefined;
  readonly links: readonly ReadLink[];
  /** Address of the book, or of the feed that a navigation entry links to. */
  readonly href: string;
}

export interface ReadCatalogue {
  readonly title: string;
  readonly links: readonly ReadLink[];
  readonly next: string | undefined;
  readonly entries: readonly CatalogueEntry[];
}

/**
 * Parses a catalog feed.
 * @throws Error if a simple OPDS 1.2 reader would misread the feed
 */
export function readCatalogue(text: string): ReadCatalogue {
  must(ALLOWED.test(text), 'there are characters that XML does not allow');
  must(!text.includes('<!--') && !/<\w+:(?!language)/.test(text), 'there are comments or prefixes');
  must(!/&(?!(?:lt|gt|amp|quot|apos|#\d+|#x[\da-f]+);)/i.test(text), 'there are entities of HTML');
  const onError = (level: string, message: string): void => {
    must(level === 'warning', `${level}: ${message}`);
  };
  const { documentElement: feed } = new DOMParser({ onError }).parseFromString(text, 'text/xml');
  must(feed?.localName === 'feed' && feed.namespaceURI === ATOM, 'this is no Atom feed');
  const links = linksOf(feed!);
  const entries = childrenOf(feed!, 'entry').map(entryOf);
  const ids = entries.map(({ id }) => id);
  must(new Set(ids).size === ids.length, 'two entries have one id');
  must(TIME.test(oneText(feed!, 'updated')), 'the time of the feed is no time');
  must(oneText(feed!, 'id').startsWith('urn:uuid:'), 'the id is no URN');
  for (const rel of ['self', 'start']) {
    must(
      links.some((one) => one.rel === rel),
      `there is no link ${rel}`,
    );
  }
  const next = links.find(({ rel }) => rel === 'next')?.href;
  return { title: oneText(feed!, 'title'), links, next, entries };
}

function entryOf(entry: Element): CatalogueEntry {
  const links = linksOf(entry);
  const books = links.filter(({ rel }) => rel === ACQUISITION);
  const feeds = links.filter(({ type }) => type.startsWith('application/atom+xml'));
  must(books.length + feeds.length === 1, 'an entry leads to one book or one feed');
  must(
    books.every(({ href, type }) => href.endsWith('.epub') && type === 'application/epub+zip'),
    'no EPUB',
  );
  must(TIME.test(oneText(entry, 'updated')), 'the time of an entry is no time');
  must(oneText(entry, 'id').startsWith('urn:uuid:'), 'the id is no URN');
  return {
    id: oneText(entry, 'id'),
    title: oneText(entry, 'title'),
    authors: childrenOf(entry, 'author').map((author) => oneText(author, 'name')),
    tags: childrenOf(entry, 'category').map((one) => one.getAttribute('term') ?? ''),
    summary: childrenOf(entry, 'summary')[0]?.textContent ?? undefined,
    language: childrenOf(entry, 'language')[0]?.textContent ?? undefined,
    links,
    href: [...books, ...feeds][0]!.href,
  };
}

const linksOf = (parent: Element): ReadLink[] =>
  childrenOf(parent, 'link').map((one) => ({
    rel: one.getAttribute('rel') ?? '',
    href: one.getAttribute('href') ?? '',
    type: one.getAttribute('type') ?? '',
  }));

const childrenOf = (parent: Element, name: string): Element[] =>
  Array.from(parent.childNodes).filter(
    (node): node is Element => 'localName' in node && node.localName === name,
  );

function oneText(parent: Element, name: string): string {
  const texts = childrenOf(parent, name).map(({ textContent }) => textContent ?? '');
  must(texts.length === 1 && texts[0] !== '', `${parent.localName ?? ''} lacks one ${name}`);
  return texts.join('');
}

function must(holds: boolean, what: string): void {
  if (!holds) {
    throw new Error(what);
  }
}

/** An e-reader that opens the catalog as KOReader does. It sends credentials unasked, and a HEAD before each GET. */
export class CatalogueReader {
  private constructor(
    private readonly url: string,
    readonly email: string,
    readonly password: string,
  ) {}

  /** Creates a reader with its own application password. */
  static async of(
    app: TestApp,
    { id, email }: Pick<SignedIn, 'id' | 'email'>,
    permissions: readonly Permission[] = [Permission.Retrieve],
  ): Promise<CatalogueReader> {
    const user = await app.app.get(UserRepository).findOneByOrFail({ id });
    const details = { name: 'KOReader', permissions: [...permissions] };
    const password = await app.app.get(ApplicationPasswords).create(user, details);
    return new CatalogueReader(app.url, email, password);
  }

  /** Returns the same reader with another address of the service, or another password. */
  with({ url = this.url, password = this.password }): CatalogueReader {
    return new CatalogueReader(url, this.email, password);
  }

  get(path: string, headers: Record<string, string> = {}): Test {
    return this.asked(request(this.url).get(path), headers);
  }

  head(path: string): Test {
    return this.asked(request(this.url).head(path));
  }

  /** Fetches a feed by HEAD and GET, and compares both answers. */
  async feed(path: string): Promise<ReadCatalogue> {
    const asked = await this.head(path).expect(200);
    const answer = await this.get(path).expect(200);
    must(asked.headers['content-type'] === answer.headers['content-type'], 'HEAD has another type');
    for (const name of ['last-modified', 'etag', 'content-encoding', 'set-cookie']) {
      must(answer.headers[name] === undefined, `there is ${name}`);
    }
    return readCatalogue(textOf(answer));
  }

  /** Follows a feed through all pages. Returns the entries and the number of pages. */
  async all(path: string): Promise<{ entries: CatalogueEntry[]; pages: number }> {
    const entries: CatalogueEntry[] = [];
    let pages = 0;
    for (let at: string | undefined = path; at !== undefined; pages += 1) {
      const feed: ReadCatalogue = await this.feed(at);
      entries.push(...feed.entries);
      at = feed.next;
    }
    return { entries, pages };
  }

  async titles(path: string): Promise<string[]> {
    return (await this.feed(path)).entries.map(({ title }) => title);
  }

  private asked(test: Test, headers: Record<string, string> = {}): Test {
    return test
      .auth(this.email, this.password)
      .set({ 'Accept-Encoding': 'identity', ...headers })
      .buffer(true);
  }
}

export const textOf = ({ text, body }: Response): string =>
  Buffer.isBuffer(body) ? body.toString() : text;
