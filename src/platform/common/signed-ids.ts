import { randomBytes } from 'node:crypto';

import { Signatures } from './signatures.js';

/** The length of a signature in base64url. */
const SIGNATURE_LENGTH = 32;

/** The settings of one kind of token. */
interface TokenKind {
  /** The purpose of the tokens. A token is valid only for its purpose. */
  readonly purpose: string;
  /** The length of an id. It is a multiple of three, so the base64url form of an id needs no padding and is unique. */
  readonly idBytes: number;
}

/**
 * Creates and verifies the secret parts of addresses. A token consists of a random id, which is stored, and its
 * signature. Signatures are not stored, so a copy of the database contains no token.
 */
export class SignedIds {
  private readonly signatures: Signatures;
  private readonly idLength: number;
  private readonly idBytes: number;

  constructor(secrets: readonly [string, ...string[]], { purpose, idBytes }: TokenKind) {
    this.signatures = new Signatures(secrets, purpose);
    this.idBytes = idBytes;
    this.idLength = (idBytes * 4) / 3;
  }

  newId(): Buffer {
    return randomBytes(this.idBytes);
  }

  tokenOf(id: Buffer): string {
    return `${id.toString('base64url')}${this.signatures.of(id)}`;
  }

  /** Returns the stored id of a token, or undefined if this service has not signed the token. */
  idIn(token: string): Buffer | undefined {
    if (token.length !== this.idLength + SIGNATURE_LENGTH || !/^[\w-]+$/.test(token)) {
      return undefined;
    }
    const id = Buffer.from(token.slice(0, this.idLength), 'base64url');
    return this.signatures.isOf(id, token.slice(this.idLength)) ? id : undefined;
  }
}
