import { decodeHTML } from 'entities';

import { webAddress } from '../dom.js';
import type { Clues } from './clues.js';
import { similarity, squashed } from './similarity.js';
import type { Heading } from './survey.js';
import { isBehindBar, partsOf } from './title-parts.js';

/**
 * Returns the names by which a site is recognised in titles: its declared name, its host, and the part of the host that
 * the owner has registered, such as `example` in `www.example.co.uk`.
 */
export const siteNames = ({ siteName, url }: Clues): string[] => [
  siteName,
  ownHost(url),
  ownLabel(url.hostname),
];

/**
 * Labels before the top-level domain that many sites share, such as `co` in `co.uk`. If a host has such a label, the
 * third label from the end is the name of the site.
 */
const SHARED_LABELS: ReadonlySet<string> = new Set('ac co com edu gov ne net or org'.split(' '));

function ownLabel(host: string): string {
  const labels = host.split('.');
  const isBelow = labels.length > 2 && SHARED_LABELS.has(labels.at(-2) ?? '');
  return labels.at(isBelow ? -3 : -2) ?? '';
}

/**
 * Returns true if a headline is the name of the site instead of the title of the page. The headline
 * then links to the front page. Or it is a known name of the site, and links to a parent path or
 * follows a bar in `<title>`. Returns false on the front page itself.
 */
export function hasNameOfSite(heading: Heading, clues: Clues): boolean {
  const above = aboveOf(heading, clues);
  const isFrontPage = clues.url.pathname === '/';
  return (
    !isFrontPage && (FRONT_PAGE.test(above ?? '') || isNamedSo(heading, clues, above !== undefined))
  );
}

/**
 * Returns true if a headline is the last part of `<title>`, and another heading of the page is the first part. The last
 * part is then the name of the site or of the whole manual, which some pages also show as a headline.
 */
export function isLastOfTitle(heading: Heading, clues: Clues): boolean {
  const parts = partsOf(decodeHTML(clues.facts.title)).map(({ text }) => squashed(text));
  const { headings, subheadings } = clues.survey;
  return (
    parts.length > 1 &&
    parts.at(-1) === squashed(heading.text) &&
    [...headings, ...subheadings].some(
      (other) => squashed(other.text) === parts[0] && !isOfOtherPage(other, clues),
    )
  );
}

/**
 * Matches the path of a site's front page. In a web archive, the path contains the original address:
 * `/web/2024/https://courier.example/`.
 */
const FRONT_PAGE = /^(?:.*\/https?:\/\/?[^/]+)?\/$/u;

function isNamedSo({ text }: Heading, clues: Clues, leadsUp: boolean): boolean {
  const { title } = clues.facts;
  const mayBeName = leadsUp || isBehindBar(title, text);
  return mayBeName && !squashed(title).startsWith(squashed(text)) && isKnownName(text, clues);
}

const ownHost = ({ hostname }: URL): string => hostname.replace(/^www\./u, '');

/**
 * Returns the path to which a heading links, if it is a parent path of the current page. Returns
 * undefined otherwise.
 */
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
 * A short text within a longer text is a form of the site's name if it has at least this share of
 * the length. Otherwise, the longer text is a sentence that contains the name.
 */
const SHARE_OF_NAME = 0.5;
const SHORTEST_PART = 4;

/**
 * Returns true if a headline is the name of the site, its publisher or its host. The headline may be slightly longer or
 * shorter than the name.
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
 * The minimum similarity to `<title>` at which a headline is the title of the current page, even if
 * it links to another address. The page may have moved.
 */
const SAME_PAGE = 0.5;

/** Returns true if a heading links to another page and is the title of that page. */
export const isOfOtherPage = (heading: Heading, clues: Clues): boolean =>
  elsewhere(heading, clues) !== undefined &&
  similarity(heading.text, clues.facts.title) < SAME_PAGE;

/**
 * Returns the address to which a heading links. Returns undefined if the heading has no link or links to the current
 * page.
 */
function elsewhere({ href }: Heading, { url }: Clues): URL | undefined {
  const address = webAddress(href, url.href);
  const target = address === '' ? url : new URL(address);
  return target.hostname === url.hostname && target.pathname === url.pathname ? undefined : target;
}
