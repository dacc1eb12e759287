import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server';

import type { PasskeySite } from './passkey-site.js';

interface Expected {
  readonly site: PasskeySite;
  readonly isChallenge: (challenge: string) => boolean;
}

/** A correct answer of a passkey. */
export interface SignedAnswer {
  readonly challenge: string;
  /** The number of uses that the authenticator has reported. */
  readonly counter: number;
}

/** The algorithms of passkeys, as numbers of COSE (RFC 9053): Ed25519, ECDSA with P-256, RSA. */
export const ALGORITHMS: readonly number[] = [-8, -7, -257];

/**
 * A public key that no passkey has: the generator point of P-256. The service checks the signature of an unknown passkey
 * with it, so that the check takes as long as for a known passkey.
 */
export const NO_KEY = Buffer.from(
  'a5010203262001215820' +
    '6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296' +
    '225820' +
    '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
  'hex',
);

/** Checks the signature of a passkey. Returns undefined if the answer is invalid. The caller checks the counter. */
export async function checkAnswer(
  response: AuthenticationResponseJSON,
  publicKey: Uint8Array<ArrayBuffer>,
  { site, isChallenge, mustVerifyUser }: Expected & { readonly mustVerifyUser: boolean },
): Promise<SignedAnswer | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  let challenge = '';
  const { verified, authenticationInfo } =
    (await unlessInvalid(() =>
      verifyAuthenticationResponse({
        response,
        expectedChallenge: (sent) => isText(sent) && isChallenge((challenge = sent)),
        expectedOrigin: site.origin,
        expectedRPID: site.domain,
        credential: { id: response.id, publicKey, counter: 0 },
        requireUserVerification: mustVerifyUser,
      }),
    )) ?? {};
  return verified === true && authenticationInfo !== undefined
    ? { challenge, counter: authenticationInfo.newCounter }
    : undefined;
}

/** Checks a new passkey. Returns undefined if the answer of the browser is invalid. */
export async function newCredentialOf(
  response: RegistrationResponseJSON,
  { site, isChallenge }: Expected,
): Promise<(WebAuthnCredential & Pick<SignedAnswer, 'challenge'>) | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  let challenge = '';
  if (!(await isUncertified(response))) {
    return undefined;
  }
  const result = await unlessInvalid(() =>
    verifyRegistrationResponse({
      response,
      expectedChallenge: (sent) => isText(sent) && isChallenge((challenge = sent)),
      expectedOrigin: site.origin,
      expectedRPID: site.domain,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...ALGORITHMS],
    }),
  );
  const credential = result?.registrationInfo?.credential;
  // `newPasskeyIn` limits the length of the id in the response, but not of the id from the authenticator.
  return credential?.id === response.id ? { ...credential, challenge } : undefined;
}

/** The library passes any JSON value that the client has sent as a challenge. */
const isText = (sent: unknown): boolean => typeof sent === 'string';

/**
 * Returns true if a new passkey contains no certificate. The service asks browsers for none. The library would request
 * the addresses in a certificate, so a forged certificate could name addresses in the network of the service.
 */
async function isUncertified({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  return (
    (await unlessInvalid(() => {
      const bytes = new Uint8Array(Buffer.from(response.attestationObject, 'base64url'));
      const attestation = decodeAttestationObject(bytes);
      const format = attestation.get('fmt');
      return (
        format === 'none' ||
        (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
      );
    })) === true
  );
}

/** Returns undefined if the library rejects its input with an error. */
async function unlessInvalid<T>(check: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await check();
  } catch {
    return undefined;
  }
}
