import { domainToASCII } from 'node:url';

/**
 * Characters that `domainToASCII` would interpret as URL syntax. It removes tabs, decodes escapes, and ignores a path
 * or a query.
 */
const URL_SYNTAX = /[\s%/\\?#]/;

/**
 * Returns the canonical form of an email address, which is stored and compared (docs/decisions/0010). The form is NFKC,
 * trimmed, in lower case, with the domain in ASCII. An invalid domain stays unchanged, and the result matches no
 * account.
 */
export function canonicalEmail(text: string): string {
  const folded = text.normalize('NFKC').trim().toLowerCase();
  const at = folded.lastIndexOf('@');
  const domain = folded.slice(at + 1);
  const ascii = at === -1 || URL_SYNTAX.test(domain) ? '' : domainToASCII(domain);
  return ascii === '' ? folded : `${folded.slice(0, at)}@${ascii}`;
}
