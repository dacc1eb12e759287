import { webAddress } from '../dom.js';
import { type HeadFacts, type Link, linkOf, metaOf } from '../markup/head-reader.js';
import { type Clues, firstOf, type Source } from './clues.js';
import { isNode, ldList, type LdNode, ldText, ldTypes } from './json-ld.js';

/** Returns the name of the site that the page declares. Returns an empty text if the page declares no name. */
export function siteNameOf(facts: HeadFacts, graph: readonly LdNode[]): string {
  return (
    metaOf(facts, ['og:site_name']) ||
    named(graph, 'WebSite') ||
    publisherOf(graph) ||
    metaOf(facts, [
      'application-name',
      'apple-mobile-web-app-title',
      'al:ios:app_name',
      'dc.publisher',
    ])
  );
}

const named = (graph: readonly LdNode[], type: string): string =>
  ldText(graph.find((node) => ldTypes(node).includes(type))?.['name']);

const publisherOf = (graph: readonly LdNode[]): string => publishersOf(graph)[0] ?? '';

/** Returns the names of the publishers that the page's JSON-LD declares. */
export const publishersOf = (graph: readonly LdNode[]): string[] =>
  graph.map((node) => ldText(node['publisher'])).filter((name) => name !== '');

/**
 * Returns the address of the publisher's logo. If the publisher has no logo, returns the address of the site's largest
 * icon, or an empty text if the site has no icon.
 */
export function siteLogoOf({ facts, graph, url }: Clues): string {
  const published = graph.map(({ publisher }) =>
    isNode(publisher) && isNode(publisher['logo']) ? ldText(publisher['logo']['url']) : '',
  );
  const icons = [
    'apple-touch-icon',
    'apple-touch-icon-precomposed',
    'icon',
    'shortcut icon',
  ].flatMap((rel) =>
    facts.links
      .filter((link) => link.rel === rel)
      .sort(bySize)
      .map(({ href }) => href),
  );
  return [...published, ...icons].map((href) => webAddress(href, url.href)).find(Boolean) ?? '';
}

const bySize = (one: Link, other: Link): number => sizeOf(other) - sizeOf(one);

const sizeOf = ({ sizes }: Link): number => Number(/^\d{1,4}/u.exec(sizes)?.[0] ?? 0);

/**
 * Returns the canonical address that the page declares. Returns an empty text if the address is missing or is on
 * another site.
 */
export function canonicalOf({ facts, url }: Clues): string {
  const addresses = [linkOf(facts, 'canonical'), metaOf(facts, ['og:url'])].map((href) =>
    webAddress(href, url.href),
  );
  return addresses.find((address) => address !== '' && isSameSite(new URL(address), url)) ?? '';
}

/**
 * Returns true if two addresses have the same host, or if one host is a subdomain of the other, such as
 * `m.example.org`. Ignores the prefix `www.`.
 */
function isSameSite(one: URL, other: URL): boolean {
  const [ours, theirs] = [one.hostname, other.hostname].map((host) => host.replace(/^www\./u, ''));
  return (
    ours === theirs ||
    (ours?.endsWith(`.${String(theirs)}`) ?? false) ||
    (theirs?.endsWith(`.${String(ours)}`) ?? false)
  );
}

const SOURCES: readonly Source<string>[] = [
  ({ facts }) => metaOf(facts, ['og:image', 'og:image:url', 'og:image:secure_url']),
  ({ facts }) => metaOf(facts, ['twitter:image', 'twitter:image:src']),
  ({ main }) =>
    main.map((node) => imageIn(node['image'] ?? node['thumbnailUrl'])).find((src) => src !== ''),
  ({ facts }) => linkOf(facts, 'image_src'),
  ({ facts }) => metaOf(facts, ['thumbnail', 'image', 'sailthru.image.full', 'parsely-image-url']),
];

/**
 * Returns the address of the picture that the page declares for previews. Returns an empty text if the page declares no
 * picture.
 */
export const topImageOf = (clues: Clues): string =>
  webAddress(firstOf(SOURCES, clues) ?? '', clues.url.href);

function imageIn(value: unknown): string {
  const [first] = ldList(value);
  return isNode(first) ? ldText(first['url'] ?? first['contentUrl']) : ldText(first);
}
