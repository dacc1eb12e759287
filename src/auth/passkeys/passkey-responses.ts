import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

import { objectIn, textOf } from '../../platform/common/request-fields.js';

/** The maximum number of characters of a response. The responses of browsers have less than a tenth. */
const MAX_LENGTH = 12_000;
/** The maximum length of a credential id in base64url, for 1,023 bytes (WebAuthn Level 3, section 4). */
const MAX_ID_LENGTH = 1364;
const BASE64URL = /^[\w-]+$/;
const TRANSPORT = /^[a-z-]{1,20}$/;
const MOST_TRANSPORTS = 8;

/** Returns a browser's answer to the request for a passkey, from the JSON in a form. Returns undefined if it is invalid. */
export function assertionIn(text: string): AuthenticationResponseJSON | undefined {
  const value = parsed(text);
  const response = objectIn(value, 'response');
  const id = idIn(value);
  const userHandle = textOf(response, 'userHandle');
  return id === undefined
    ? undefined
    : {
        ...credentialOf(id),
        response: {
          clientDataJSON: textOf(response, 'clientDataJSON'),
          authenticatorData: textOf(response, 'authenticatorData'),
          signature: textOf(response, 'signature'),
          ...(userHandle !== '' && { userHandle }),
        },
      };
}

/** Returns a browser's answer to the request to create a passkey, from the JSON in a form. */
export function newPasskeyIn(text: string): RegistrationResponseJSON | undefined {
  const value = parsed(text);
  const response = objectIn(value, 'response');
  const id = idIn(value);
  return id === undefined
    ? undefined
    : {
        ...credentialOf(id),
        response: {
          clientDataJSON: textOf(response, 'clientDataJSON'),
          attestationObject: textOf(response, 'attestationObject'),
        },
      };
}

/** Returns the ways in which browsers can reach the authenticator of a new passkey. */
export function transportsIn(text: string): string[] {
  const transports = objectIn(objectIn(parsed(text), 'response'), 'transports');
  const names: readonly unknown[] = Array.isArray(transports) ? transports : [];
  return names
    .filter((name) => typeof name === 'string')
    .filter((name) => TRANSPORT.test(name))
    .slice(0, MOST_TRANSPORTS);
}

const credentialOf = (id: string) => ({
  id,
  rawId: id,
  type: 'public-key' as const,
  clientExtensionResults: {},
});

function idIn(value: unknown): string | undefined {
  const id = textOf(value, 'id');
  return id.length <= MAX_ID_LENGTH && BASE64URL.test(id) ? id : undefined;
}

function parsed(text: string): unknown {
  try {
    return text.length <= MAX_LENGTH ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
