import {
  clean,
  cut,
  MAX_NAME_LENGTH,
  VISIBLE,
  withoutControls,
} from '../../lib/util/clean-text.js';
import { parseRequest } from '../../pocket-api/parse-request.js';
import { LoginRefusedError } from '../auth.errors.js';
import { IsAccountEmail } from '../registration.js';

/** What an issuer says of a person; only `iss` and `sub` are sure to be there. */
export type IssuerClaims = Readonly<Record<string, unknown>>;

/** Who an issuer says has logged in. */
export interface IssuerPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  /** In its canonical form; undefined if the issuer has not verified the address and the operator does not trust it. */
  readonly email: string | undefined;
}

/** OpenID Connect Core 1.0, section 2: at most 255 characters of ASCII. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

class EmailClaim {
  @IsAccountEmail()
  email!: string;
}

/** ID tokens may leave to the userinfo endpoint which address a person has, or whether it is verified. */
export const lacksEmail = ({ email, email_verified: isVerified }: IssuerClaims): boolean =>
  email === undefined || isVerified === undefined;

/** Whether the issuer has verified the email address, if it sends one. Texts do not count: `"false"` would be true. */
export function verificationOf(
  claims: IssuerClaims,
): 'verified' | 'missing' | 'false' | 'not a boolean' {
  const { email, email_verified: isVerified } = claims;
  if (typeof email !== 'string' || isVerified === true) {
    return 'verified';
  }
  if (isVerified === undefined) {
    return 'missing';
  }
  return isVerified === false ? 'false' : 'not a boolean';
}

/**
 * @param trustsEmail accepts an address that the issuer does not report as verified
 * @throws LoginRefusedError for claims that identify no person
 */
export function personOf(claims: IssuerClaims, trustsEmail: boolean): IssuerPerson {
  const { iss: issuer, sub: subject } = claims;
  if (typeof issuer !== 'string' || typeof subject !== 'string' || !SUBJECT.test(subject)) {
    throw new LoginRefusedError('The issuer has not said who logged in.');
  }
  const isUsable = trustsEmail || verificationOf(claims) === 'verified';
  const email = isUsable ? emailOf(claims['email']) : undefined;
  return { issuer, subject, email, name: nameOf(claims, email) };
}

/** The canonical form of an email address; undefined for what is none. */
export function emailOf(value: unknown): string | undefined {
  try {
    return typeof value === 'string' ? parseRequest(EmailClaim, { email: value }).email : undefined;
  } catch {
    return undefined;
  }
}

/** As in a registration: with a visible character, and not too long. */
function nameOf({ name, preferred_username: username }: IssuerClaims, email = ''): string {
  const names = [name, username, nameIn(email)].filter((text) => typeof text === 'string');
  const shown = names.map((text) => cut(withoutControls(clean(text)).trim(), MAX_NAME_LENGTH));
  return shown.find((text) => VISIBLE.test(text)) ?? 'Reader';
}

/** What stands before the domain. */
export const nameIn = (email: string): string => email.replace(/@[^@]*$/, '');
