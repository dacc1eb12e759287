import { element, emptyElement, textElement } from '../../lib/util/xml.js';
import type { Message } from '../../platform/i18n/message.js';
import type { Translator } from '../../platform/i18n/translator.js';
import { formatTime, uuidUrn } from '../feeds/feed-values.js';

const ATOM = 'http://www.w3.org/2005/Atom';
const DUBLIN_CORE = 'http://purl.org/dc/terms/';

/**
 * The kind of an OPDS feed: `navigation` links to other feeds, `acquisition` contains books (OPDS 1.2 sections 2.1 and
 * 2.2).
 */
type FeedKind = 'navigation' | 'acquisition';

export const feedType = (kind: FeedKind): string =>
  `application/atom+xml;profile=opds-catalog;kind=${kind}`;

export const DESCRIPTION_TYPE = 'application/opensearchdescription+xml';
export const SEARCH_PATH = '/opds/search';
const DESCRIPTION_PATH = '/opds/search.xml';
const START_PATH = '/opds';

/** A text of the catalogue: a message, or data such as the title of an item. */
type CatalogueText = Message | string;

/** Converts the data of a feed for one e-reader. */
export interface CatalogueWriter {
  /** Converts a path of the service to an address in a link. */
  readonly at: (path: string) => string;
  /** Returns a message in the language of the user. */
  readonly t: Translator['text'];
}

/**
 * A feed of the catalogue. Its paths are paths of the service, which `CatalogueWriter` converts to links.
 */
export interface CatalogueFeed {
  readonly path: string;
  readonly title: CatalogueText;
  readonly kind: FeedKind;
  /** The time of the latest change, in Unix seconds. */
  readonly updated: number;
  /** The path of the next page of the feed. */
  readonly nextPath?: string | undefined;
  /** The entries of the feed, as XML elements. */
  readonly entries: readonly string[];
}

/** A catalogue entry that links to another feed. */
interface LinkEntry {
  readonly title: CatalogueText;
  readonly text: CatalogueText;
  readonly path: string;
  readonly kind: FeedKind;
  readonly rel?: string;
  /** The time of the latest change, in Unix seconds. */
  readonly updated: number;
}

/**
 * Returns a feed as an OPDS 1.2 document. The document has no namespace prefix for Atom, no comments and no HTML
 * entities, because simple e-readers do not parse them.
 */
export function presentCatalogue(feed: CatalogueFeed, writer: CatalogueWriter): string {
  const { at } = writer;
  const { path, title, kind, updated, nextPath, entries } = feed;
  const start = feedType('navigation');
  return presentXml(
    element('feed', { xmlns: ATOM, 'xmlns:dc': DUBLIN_CORE }, [
      textElement('id', uuidUrn(`opds ${path}`)),
      textElement('title', textOf(title, writer)),
      textElement('updated', formatTime(updated)),
      person('Satchel'),
      link({ rel: 'self', href: at(path), type: feedType(kind) }),
      link({ rel: 'start', href: at(START_PATH), type: start }),
      ...(path === START_PATH ? [] : [link({ rel: 'up', href: at(START_PATH), type: start })]),
      ...(nextPath === undefined
        ? []
        : [link({ rel: 'next', href: at(nextPath), type: feedType(kind) })]),
      // Some e-readers need a search link with a URL template, and others a link to a search description.
      // The link with the URL template is first, because e-readers that support both links use the first link.
      link({
        rel: 'search',
        href: at(`${SEARCH_PATH}?q={searchTerms}`),
        type: 'application/atom+xml',
      }),
      link({ rel: 'search', href: at(DESCRIPTION_PATH), type: DESCRIPTION_TYPE }),
      ...entries,
    ]),
  );
}

const textOf = (text: CatalogueText, { t }: CatalogueWriter): string =>
  typeof text === 'string' ? text : t(text);

const presentXml = (document: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${document}\n`;

export function linkEntry(
  { title, text, path, kind, rel = 'subsection', updated }: LinkEntry,
  writer: CatalogueWriter,
): string {
  return element('entry', {}, [
    textElement('id', uuidUrn(`opds entry ${path}`)),
    textElement('title', textOf(title, writer)),
    textElement('updated', formatTime(updated)),
    textElement('content', textOf(text, writer), { type: 'text' }),
    link({ rel, href: writer.at(path), type: feedType(kind) }),
  ]);
}

export const person = (name: string): string => element('author', {}, [textElement('name', name)]);

export const link = (attributes: {
  readonly rel: string;
  readonly href: string;
  readonly type: string;
}): string => emptyElement('link', attributes);

/**
 * Returns the description of the search for e-readers (OpenSearch 1.1). E-readers replace the placeholder in the URL
 * with the percent-encoded search words.
 */
export const presentDescription = (searchUrl: string, { t }: CatalogueWriter): string =>
  presentXml(
    element('OpenSearchDescription', { xmlns: 'http://a9.com/-/spec/opensearch/1.1/' }, [
      textElement('ShortName', 'Satchel'),
      textElement('Description', t('opds.search.description')),
      textElement('InputEncoding', 'UTF-8'),
      textElement('OutputEncoding', 'UTF-8'),
      emptyElement('Url', {
        type: 'application/atom+xml',
        template: `${searchUrl}?q={searchTerms}`,
      }),
    ]),
  );
