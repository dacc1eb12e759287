import { webAddress } from '../dom/address.js';
import type { Link } from '../markup/head-facts.js';
import type { Clues } from './clues.js';
import { isNode, ldText } from './json-ld.js';

/** A picture that stands for the site, "" when it shows none: its publisher's, else its largest icon. */
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
