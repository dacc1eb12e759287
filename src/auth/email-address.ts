import { domainToASCII } from 'node:url';

/**
 * The one form in which an email address is stored and compared (docs/decisions/0010): trimmed, NFKC, lower case,
 * the domain in its ASCII form. Text that is no address comes back as it can, and matches no account.
 */
export function canonicalEmail(text: string): string {
  const folded = text.trim().normalize('NFKC').toLowerCase();
  const at = folded.lastIndexOf('@');
  const domain = domainToASCII(folded.slice(at + 1));
  return at === -1 || domain === '' ? folded : `${folded.slice(0, at)}@${domain}`;
}
