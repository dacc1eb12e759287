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

/** The claims of an OpenID Connect issuer about a person. Only `iss` and `sub` are always present. */
export type IssuerClaims = Readonly<Record<string, unknown>>;

/** The person who has logged in, as read from the claims of the OpenID Connect issuer. */
export interface IssuerPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  /**
   * The email address in its canonical form. Undefined if the address is not verified and the operator does not trust
   * the issuer's addresses.
   */
  readonly email: string | undefined;
}

/** The identifier of a person at the issuer has at most 255 ASCII characters (OpenID Connect Core 1.0, section 2). */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

class EmailClaim {
  @IsAccountEmail()
  email!: string;
}

/**
 * Returns true if the email address or its verification is missing. Some issuers send these claims
 * only from the userinfo endpoint.
 */
export const lacksEmail = ({ email, email_verified: isVerified }: IssuerClaims): boolean =>
  email === undefined || isVerified === undefined;

/**
 * Returns the state of the claim `email_verified`. Returns `verified` also if the claims contain no
 * email address, and `not a boolean` for a value such as the string `"false"`.
 */
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
 * Returns the person that the claims describe.
 * @param trustsEmail If true, an email address is accepted even if the issuer has not verified it.
 * @throws LoginRefusedError if the claims identify no person
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

/** The accepted difference between the clocks of this service and of the issuer, in milliseconds. */
export const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Returns the time at which the person last entered credentials at the issuer, but never a time in the future. Returns
 * undefined if the issuer reports no time, or a time that is not possible.
 */
export function authTimeOf({ auth_time: seconds }: IssuerClaims, now: Date): Date | undefined {
  const ms = typeof seconds === 'number' ? seconds * 1000 : NaN;
  return ms >= 0 && ms <= now.getTime() + CLOCK_TOLERANCE_MS
    ? new Date(Math.min(ms, now.getTime()))
    : undefined;
}

/** Returns the canonical form of an email address, or undefined if the value is not an email address. */
export function emailOf(value: unknown): string | undefined {
  try {
    return typeof value === 'string' ? parseRequest(EmailClaim, { email: value }).email : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a name that registration accepts: it has a visible character and is not too long. */
function nameOf({ name, preferred_username: username }: IssuerClaims, email = ''): string {
  const names = [name, username, nameIn(email)].filter((text) => typeof text === 'string');
  const shown = names.map((text) => cut(withoutControls(clean(text)).trim(), MAX_NAME_LENGTH));
  return shown.find((text) => VISIBLE.test(text)) ?? 'Reader';
}

/** Returns the part of an email address before the last `@`. */
export const nameIn = (email: string): string => email.replace(/@[^@]*$/, '');
