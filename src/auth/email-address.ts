import { domainToASCII } from 'node:url';

/** `domainToASCII` reads a host as a URL does: it drops tabs, decodes escapes, and ends at a path or query. */
const URL_SYNTAX = /[\s%/\\?#]/;

/**
 * The one form in which an email address is stored and compared (docs/decisions/0010): NFKC, trimmed, lower case,
 * the domain in its ASCII form. Invalid text keeps its domain as it is, and matches no account.
 */
export function canonicalEmail(text: string): string {
  const folded = text.normalize('NFKC').trim().toLowerCase();
  const at = folded.lastIndexOf('@');
  const domain = folded.slice(at + 1);
  const ascii = at === -1 || URL_SYNTAX.test(domain) ? '' : domainToASCII(domain);
  return ascii === '' ? folded : `${folded.slice(0, at)}@${ascii}`;
}
