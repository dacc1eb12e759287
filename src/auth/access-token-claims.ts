/** The user a token was made for, and the session epoch it was made in. */
export interface TokenSubject {
  readonly userId: string;
  readonly sessionEpoch: number;
}

/** What a token says that counts until it expires. */
export interface TokenClaims {
  readonly subject: TokenSubject;
  /** Unix seconds: from then on the token counts no more. */
  readonly expiresAt: number;
}

export interface ClaimLimits {
  readonly nowSeconds: number;
  /** A token that was made to live longer is refused: the setting was lowered since. */
  readonly ttlSeconds: number;
}

/** Clocks of two instances may differ by this much. */
const CLOCK_SKEW_SECONDS = 30;
const USER_ID = /^[1-9][0-9]{0,18}$/;
/** What the columns of the database hold: a value beyond them fails the statement, and the calls that share it. */
const MAX_USER_ID = 2n ** 63n - 1n;
const MAX_EPOCH = 2 ** 31 - 1;

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isUserId = (value: unknown): value is string =>
  typeof value === 'string' && USER_ID.test(value) && BigInt(value) <= MAX_USER_ID;
const isEpoch = (value: unknown): value is number =>
  isNumber(value) && Number.isInteger(value) && value >= 0 && value <= MAX_EPOCH;
const isAccessToken = (typ: unknown, aud: unknown): boolean =>
  typ === 'at' && typeof aud === 'string';

/**
 * Reads a payload of which the signature, the issuer and the audience are verified. jsonwebtoken lets a missing
 * `exp`, an odd `sub` and several audiences pass.
 */
export function readClaims(payload: object, limits: ClaimLimits): TokenClaims | undefined {
  const { sub, aud, typ, epoch, iat, exp }: Partial<Record<string, unknown>> = { ...payload };
  if (!isAccessToken(typ, aud) || !isUserId(sub) || !isEpoch(epoch) || !isNumber(exp)) {
    return undefined;
  }
  const isIssued = isNumber(iat) && iat <= limits.nowSeconds + CLOCK_SKEW_SECONDS;
  return isIssued && exp - iat <= limits.ttlSeconds
    ? { subject: { userId: sub, sessionEpoch: epoch }, expiresAt: exp }
    : undefined;
}
