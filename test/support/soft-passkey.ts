import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** Encodes the part of CBOR (RFC 8949) that authenticators use. */
export function cbor(value: unknown): Buffer {
  if (typeof value === 'number') {
    return value < 0 ? head(1, -1 - value) : head(0, value);
  }
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([head(3, bytes.length), bytes]);
  }
  if (Buffer.isBuffer(value)) {
    return Buffer.concat([head(2, value.length), value]);
  }
  if (Array.isArray(value)) {
    return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  }
  const entries = [...(value as Map<unknown, unknown>)];
  return Buffer.concat([head(5, entries.length), ...entries.flat().map(cbor)]);
}

function head(major: number, size: number): Buffer {
  const type = major << 5;
  if (size < 24) {
    return Buffer.from([type | size]);
  }
  return size < 256
    ? Buffer.from([type | 24, size])
    : Buffer.from([type | 25, size >> 8, size & 255]);
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const HAS_CREDENTIAL = 64;

/** The request for a passkey, with the properties that a browser needs. */
export interface PasskeyRequest {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
  readonly user?: { readonly id: string };
}

/** Changes of an answer that a correct browser would not make. */
interface Deviations {
  readonly origin?: string;
  readonly domain?: string;
  readonly challenge?: unknown;
  readonly type?: string;
  readonly counter?: number;
  readonly isUserVerified?: boolean;
  readonly userHandle?: string | undefined;
  readonly key?: KeyObject;
  readonly id?: string;
  /** The id that the authenticator has signed for a new passkey. */
  readonly signedId?: Buffer;
}

/** An authenticator with one passkey, and the browser that calls it. It implements WebAuthn without a library. */
export class SoftPasskey {
  readonly id = randomBytes(16).toString('base64url');
  userHandle = '';
  counter = 0;
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  constructor(private readonly origin: string) {}

  /** Answers the request to create a passkey. `statement` is the attestation. */
  created(
    { challenge, rp, user }: PasskeyRequest,
    deviations: Deviations = {},
    attestation: readonly (readonly [string, unknown])[] = [
      ['fmt', 'none'],
      ['attStmt', new Map()],
    ],
  ): string {
    this.userHandle = user?.id ?? '';
    const authData = this.authenticatorData(rp?.id ?? '', HAS_CREDENTIAL, deviations);
    const attestationObject = cbor(new Map([...attestation, ['authData', authData]]));
    return JSON.stringify({
      ...{ id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {} },
      response: {
        clientDataJSON: this.clientData('webauthn.create', challenge, deviations).toString(
          'base64url',
        ),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      },
    });
  }

  /** Answers the request to use the passkey. */
  used({ challenge, rpId = '' }: PasskeyRequest, deviations: Deviations = {}): string {
    const data = this.authenticatorData(rpId, 0, deviations);
    const client = this.clientData('webauthn.get', challenge, deviations);
    const signed = Buffer.concat([data, sha256(client)]);
    const id = deviations.id ?? this.id;
    const userHandle = 'userHandle' in deviations ? deviations.userHandle : this.userHandle;
    return JSON.stringify({
      ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, deviations.key ?? this.keys.privateKey).toString(
          'base64url',
        ),
        userHandle,
      },
    });
  }

  private clientData(type: string, challenge: string, deviations: Deviations): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: deviations.type ?? type,
        challenge: deviations.challenge ?? challenge,
        origin: deviations.origin ?? this.origin,
        crossOrigin: false,
      }),
    );
  }

  private authenticatorData(domain: string, flags: number, deviations: Deviations): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(deviations.counter ?? this.counter);
    const verified = deviations.isUserVerified === false ? 0 : USER_VERIFIED;
    return Buffer.concat([
      sha256(deviations.domain ?? domain),
      Buffer.from([flags | USER_PRESENT | verified]),
      counter,
      flags === 0 ? Buffer.alloc(0) : this.credentialData(deviations.signedId),
    ]);
  }

  private credentialData(id: Buffer = Buffer.from(this.id, 'base64url')): Buffer {
    const length = Buffer.from([id.length >> 8, id.length & 255]);
    return Buffer.concat([Buffer.alloc(16), length, id, cbor(this.coseKey())]);
  }

  private coseKey(): Map<number, unknown> {
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' });
    const [left, right] = [x, y].map((part) => Buffer.from(part, 'base64url'));
    return new Map<number, unknown>([
      ...([[1, 2] as const, [3, -7] as const, [-1, 1] as const] as const),
      [-2, left],
      [-3, right],
    ]);
  }
}
