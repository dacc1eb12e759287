import { dictionary } from '@zxcvbn-ts/language-common';

/** OWASP ASVS 5.0, 6.2.4: at least the 3000 commonest passwords that the length rule would let through. */
const LISTED = 3000;

/** The commonest passwords of at least that length, in lower case. */
export function commonestPasswords(minLength: number): ReadonlySet<string> {
  const longEnough = dictionary['passwords-common'].filter(({ length }) => length >= minLength);
  return new Set(longEnough.slice(0, LISTED));
}
