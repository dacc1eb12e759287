import { domainToASCII } from 'node:url';

/**
 * Characters that make a domain invalid. They are rejected here, because `domainToASCII` would
 * treat them as URL syntax, such as a path or an escape.
 */
const URL_SYNTAX = /[\s%/\\?#]/;

/**
 * Returns the canonical form of an email address, in which it is stored and compared: NFKC,
 * trimmed, lower case, with the domain in ASCII (docs/decisions/0010). An invalid domain is
 * returned unchanged and matches no account.
 */
export function canonicalEmail(text: string): string {
  const folded = text.normalize('NFKC').trim().toLowerCase();
  const at = folded.lastIndexOf('@');
  const domain = folded.slice(at + 1);
  const ascii = at === -1 || URL_SYNTAX.test(domain) ? '' : domainToASCII(domain);
  return ascii === '' ? folded : `${folded.slice(0, at)}@${ascii}`;
}
