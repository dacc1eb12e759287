import { webAddress } from '../dom.js';
import type { Clues } from './clues.js';
import { similarity, squashed } from './similarity.js';
import type { Heading } from './survey.js';
import { isBehindBar } from './title-parts.js';

/** Returns the names of the site: its declared name, its host, and the registered label of its host. */
export const siteNames = ({ siteName, url }: Clues): string[] => [
  siteName,
  ownHost(url),
  ownLabel(url.hostname),
];

/**
 * Second-level labels of host names that many sites share, as in `co.uk`. Before such a suffix, the third label from
 * the end belongs to the site.
 */
const SHARED_LABELS: ReadonlySet<string> = new Set('ac co com edu gov ne net or org'.split(' '));

function ownLabel(host: string): string {
  const labels = host.split('.');
  const isBelow = labels.length > 2 && SHARED_LABELS.has(labels.at(-2) ?? '');
  return labels.at(isBelow ? -3 : -2) ?? '';
}

/**
 * Returns true if a headline is the name of the site. Such a headline links to the front page, or it is a known name of
 * the site that links to a parent path or ends `<title>` after a bar. Returns false on the front page, because its
 * title is the name of the site.
 */
export function hasNameOfSite(heading: Heading, clues: Clues): boolean {
  const above = aboveOf(heading, clues);
  const isFrontPage = clues.url.pathname === '/';
  return (
    !isFrontPage && (FRONT_PAGE.test(above ?? '') || isNamedSo(heading, clues, above !== undefined))
  );
}

/**
 * Matches the path of a front page, even in a web archive. An archive includes the original address in the path:
 * `/web/2024/https://courier.example/`.
 */
const FRONT_PAGE = /^(?:.*\/https?:\/\/?[^/]+)?\/$/u;

function isNamedSo({ text }: Heading, clues: Clues, leadsUp: boolean): boolean {
  const { title } = clues.facts;
  const mayBeName = leadsUp || isBehindBar(title, text);
  return mayBeName && !squashed(title).startsWith(squashed(text)) && isKnownName(text, clues);
}

const ownHost = ({ hostname }: URL): string => hostname.replace(/^www\./u, '');

/** Returns the path that a heading links to, if it is a parent path of the current page. */
function aboveOf(heading: Heading, clues: Clues): string | undefined {
  const target = elsewhere(heading, clues);
  return target && isAbove(target, clues.url) ? target.pathname : undefined;
}

const isAbove = (target: URL, url: URL): boolean =>
  ownHost(target) === ownHost(url) &&
  target.search === '' &&
  target.pathname.endsWith('/') &&
  url.pathname.startsWith(target.pathname);

/**
 * Two texts can be forms of one name if the shorter text has at least this share of the longer text. The forms differ
 * by an article or an ending, but a sentence that contains a name is much longer.
 */
const SHARE_OF_NAME = 0.5;
const SHORTEST_PART = 4;

/**
 * Returns true if a headline is a name of the site, of its publisher or of its host. A longer or shorter form of such a
 * name also counts.
 */
function isKnownName(headline: string, clues: Clues): boolean {
  const name = squashed(headline);
  return [...siteNames(clues).map(squashed), ...clues.publishers].some((known) => {
    const [short = '', long = ''] = [known, name].toSorted((a, b) => a.length - b.length);
    return (
      short !== '' &&
      (short === long ||
        (short.length >= Math.max(SHORTEST_PART, long.length * SHARE_OF_NAME) &&
          long.includes(short)))
    );
  });
}

/**
 * If the headline is at least this similar to `<title>`, it links to the page itself. A page that has moved may link to
 * its other address.
 */
const SAME_PAGE = 0.5;

/** Returns true if a heading is the title of another page that it links to. */
export const isOfOtherPage = (heading: Heading, clues: Clues): boolean =>
  elsewhere(heading, clues) !== undefined &&
  similarity(heading.text, clues.facts.title) < SAME_PAGE;

/**
 * Returns the address that a heading links to. Returns undefined if the heading has no link or links to the page
 * itself.
 */
function elsewhere({ href }: Heading, { url }: Clues): URL | undefined {
  const address = webAddress(href, url.href);
  const target = address === '' ? url : new URL(address);
  return target.hostname === url.hostname && target.pathname === url.pathname ? undefined : target;
}
