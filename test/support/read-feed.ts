import { DOMParser, type Element } from '@xmldom/xmldom';

const ATOM = 'http://www.w3.org/2005/Atom';
/** XML 1.0 characters (section 2.2). The parser does not check them. */
const ALLOWED = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

export interface ReadEntry {
  readonly id: string;
  readonly title: string;
  readonly published: string;
  readonly updated: string;
  readonly lang: string | null;
  readonly summary: string | undefined;
  readonly authors: readonly string[];
  readonly tags: readonly string[];
  /** Links, keyed by relation. */
  readonly links: Readonly<Record<string, string>>;
}

interface ReadFeed extends Pick<ReadEntry, 'id' | 'title' | 'updated' | 'authors' | 'links'> {
  readonly entries: readonly ReadEntry[];
}

/**
 * Parses an Atom feed.
 * @throws Error if the feed is not well-formed or lacks a required element
 */
export function readAtom(text: string): ReadFeed {
  if (!ALLOWED.test(text)) {
    throw new Error('the feed has characters that XML does not allow');
  }
  const onError = (level: string, message: string): void => {
    if (level !== 'warning') {
      throw new Error(`${level}: ${message}`);
    }
  };
  const { documentElement: feed } = new DOMParser({ onError }).parseFromString(text, 'text/xml');
  if (feed?.localName !== 'feed' || feed.namespaceURI !== ATOM) {
    throw new Error('this is no Atom feed');
  }
  const { id, title, updated, authors, links } = commonOf(feed);
  return { id, title, updated, authors, links, entries: childrenOf(feed, 'entry').map(entryOf) };
}

const entryOf = (entry: Element): ReadEntry => ({
  ...commonOf(entry),
  published: textOf(entry, 'published'),
  lang: entry.getAttribute('xml:lang'),
  summary: childrenOf(entry, 'summary')[0]?.textContent ?? undefined,
  tags: childrenOf(entry, 'category').map((category) => category.getAttribute('term') ?? ''),
});

const commonOf = (
  element: Element,
): Pick<ReadEntry, 'id' | 'title' | 'updated' | 'authors' | 'links'> => ({
  id: textOf(element, 'id'),
  title: textOf(element, 'title'),
  updated: textOf(element, 'updated'),
  authors: childrenOf(element, 'author').map((author) => textOf(author, 'name')),
  links: Object.fromEntries(
    childrenOf(element, 'link').map((link) => [
      link.getAttribute('rel') ?? '',
      link.getAttribute('href') ?? '',
    ]),
  ),
});

const childrenOf = (parent: Element, name: string): Element[] =>
  Array.from(parent.childNodes).filter(
    (node): node is Element => 'localName' in node && node.localName === name,
  );

/** Returns the text of a required child element, which must occur exactly once. */
function textOf(parent: Element, name: string): string {
  const texts = childrenOf(parent, name).map(({ textContent }) => textContent ?? '');
  if (texts.length !== 1 || texts[0] === '') {
    throw new Error(`${parent.localName ?? ''} lacks one ${name}`);
  }
  return texts.join('');
}
