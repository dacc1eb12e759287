import { hash } from 'node:crypto';

import { getDomain } from 'tldts';

/** The id of the registrable domain of a URL, of its host where there is none: decimal text, "0" for no URL. */
export function domainIdOf(url: string): string {
  const domain = getDomain(url) ?? (URL.canParse(url) ? new URL(url).hostname : '');
  return domain === '' ? '0' : String(hash('sha256', domain, 'buffer').readUInt32BE(0) + 1);
}
