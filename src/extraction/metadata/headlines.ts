import { webAddress } from '../dom.js';
import type { Clues } from './clues.js';
import { similarity } from './similarity.js';
import type { Heading } from './survey.js';
import { isBehindBar } from './title-parts.js';

/** How the site is called: by itself, by its host, and by the label of it that its owner chose. */
export const siteNames = ({ siteName, url: { hostname } }: Clues): string[] => [
  siteName,
  hostname.replace(/^www\./u, ''),
  ownLabel(hostname),
];

/** Of hosts below `co.uk` the third label from behind is the site's own. */
const SHARED_LABELS: ReadonlySet<string> = new Set('ac co com edu gov ne net or org'.split(' '));

function ownLabel(host: string): string {
  const labels = host.split('.');
  const isBelow = labels.length > 2 && SHARED_LABELS.has(labels.at(-2) ?? '');
  return labels.at(isBelow ? -3 : -2) ?? '';
}

/**
 * Whether a headline names the site: it leads to the page that this one is below, or is what `<title>` ends with behind
 * a bar. A front page is called as its site is.
 */
export function hasNameOfSite(heading: Heading, clues: Clues): boolean {
  const { pathname } = clues.url;
  const target = elsewhere(heading, clues)?.pathname;
  const leadsUp = target?.endsWith('/') === true && pathname.startsWith(target);
  return pathname !== '/' && (leadsUp || isBehindBar(clues.facts.title, heading.text));
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
