import { domainToASCII } from 'node:url';

/**
 * Characters that make a domain invalid. `domainToASCII` would parse them as URL syntax: it removes tabs, decodes
 * escapes, and ignores a path or a query.
 */
const URL_SYNTAX = /[\s%/\\?#]/;

/**
 * Returns the form in which an email address is stored and compared: NFKC, trimmed, lower case, with the domain in
 * ASCII (docs/decisions/0010). An invalid domain stays unchanged, so the result matches no account.
 */
export function canonicalEmail(text: string): string {
  const folded = text.normalize('NFKC').trim().toLowerCase();
  const at = folded.lastIndexOf('@');
  const domain = folded.slice(at + 1);
  const ascii = at === -1 || URL_SYNTAX.test(domain) ? '' : domainToASCII(domain);
  return ascii === '' ? folded : `${folded.slice(0, at)}@${ascii}`;
}
