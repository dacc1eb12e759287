import { webAddress } from '../dom/address.js';
import { linkOf, metaOf } from '../markup/head-facts.js';
import type { Clues } from './clues.js';

/** What the page says its address is, where that is an address of its own site; else "". */
export function canonicalOf({ facts, url }: Clues): string {
  const addresses = [linkOf(facts, 'canonical'), metaOf(facts, ['og:url'])].map((href) =>
    webAddress(href, url.href),
  );
  return addresses.find((address) => address !== '' && isSameSite(new URL(address), url)) ?? '';
}

/** The same host, or one that is the other with a name before it (www., m., amp.). */
function isSameSite(one: URL, other: URL): boolean {
  const [ours, theirs] = [one.hostname, other.hostname].map((host) => host.replace(/^www\./u, ''));
  return (
    ours === theirs ||
    (ours?.endsWith(`.${String(theirs)}`) ?? false) ||
    (theirs?.endsWith(`.${String(ours)}`) ?? false)
  );
}
