import { domainToASCII } from 'node:url';

/** `domainToASCII` parses a host like a URL: it drops tabs, decodes escapes, and stops at a path or query. */
const URL_SYNTAX = /[\s%/\\?#]/;

/**
 * Returns the form in which an email address is stored and compared (docs/decisions/0010): NFKC, trimmed, lower case,
 * with an ASCII domain. Invalid text keeps its domain unchanged, and matches no account.
 */
export function canonicalEmail(text: string): string {
  const folded = text.normalize('NFKC').trim().toLowerCase();
  const at = folded.lastIndexOf('@');
  const domain = folded.slice(at + 1);
  const ascii = at === -1 || URL_SYNTAX.test(domain) ? '' : domainToASCII(domain);
  return ascii === '' ? folded : `${folded.slice(0, at)}@${ascii}`;
}
