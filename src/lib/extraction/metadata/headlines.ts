import { webAddress } from '../dom.js';
import type { Clues } from './clues.js';
import { similarity, squashed } from './similarity.js';
import type { Heading } from './survey.js';
import { isBehindBar } from './title-parts.js';

/** How the site is called: by itself, by its host, and by the label of it that its owner chose. */
export const siteNames = ({ siteName, url }: Clues): string[] => [
  siteName,
  ownHost(url),
  ownLabel(url.hostname),
];

/** Of hosts below `co.uk` the third label from behind is the site's own. */
const SHARED_LABELS: ReadonlySet<string> = new Set('ac co com edu gov ne net or org'.split(' '));

function ownLabel(host: string): string {
  const labels = host.split('.');
  const isBelow = labels.length > 2 && SHARED_LABELS.has(labels.at(-2) ?? '');
  return labels.at(isBelow ? -3 : -2) ?? '';
}

/**
 * Whether a headline names the site: it leads to its front page; or it is a name that is known of it, and leads to a
 * page that this one is below, or is what `<title>` ends with behind a bar. A front page is called as its site is.
 */
export function hasNameOfSite(heading: Heading, clues: Clues): boolean {
  const above = aboveOf(heading, clues);
  const isFrontPage = clues.url.pathname === '/';
  return (
    !isFrontPage && (FRONT_PAGE.test(above ?? '') || isNamedSo(heading, clues, above !== undefined))
  );
}

/** An archive keeps a page below the address that it had: `/web/2024/https://courier.example/`. */
const FRONT_PAGE = /^(?:.*\/https?:\/\/?[^/]+)?\/$/u;

function isNamedSo({ text }: Heading, clues: Clues, leadsUp: boolean): boolean {
  const { title } = clues.facts;
  const mayBeName = leadsUp || isBehindBar(title, text);
  return mayBeName && !squashed(title).startsWith(squashed(text)) && isKnownName(text, clues);
}

const ownHost = ({ hostname }: URL): string => hostname.replace(/^www\./u, '');

/** The path of the page above this one that a heading leads to. */
function aboveOf(heading: Heading, clues: Clues): string | undefined {
  const target = elsewhere(heading, clues);
  return target && isAbove(target, clues.url) ? target.pathname : undefined;
}

const isAbove = (target: URL, url: URL): boolean =>
  ownHost(target) === ownHost(url) &&
  target.search === '' &&
  target.pathname.endsWith('/') &&
  url.pathname.startsWith(target.pathname);

/** Of a name that is written in two ways one has an article or an ending more; a sentence that has it has much more. */
const SHARE_OF_NAME = 0.5;
const SHORTEST_PART = 4;

/** Whether a headline is a name that the site, its publisher or its host has, or a longer or shorter form of it. */
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

/** A page that has moved may lead to itself at its other address, and says so in `<title>`. */
const SAME_PAGE = 0.5;

/** Whether a heading leads to another page, which it is the title of. */
export const isOfOtherPage = (heading: Heading, clues: Clues): boolean =>
  elsewhere(heading, clues) !== undefined &&
  similarity(heading.text, clues.facts.title) < SAME_PAGE;

/** The address that a heading leads to; undefined where that is the page itself, or none. */
function elsewhere({ href }: Heading, { url }: Clues): URL | undefined {
  const address = webAddress(href, url.href);
  const target = address === '' ? url : new URL(address);
  return target.hostname === url.hostname && target.pathname === url.pathname ? undefined : target;
}
