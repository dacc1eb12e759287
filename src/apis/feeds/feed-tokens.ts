import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Signatures } from '../../platform/common/signatures.js';
import { Config } from '../../platform/config/config.js';

const PURPOSE = 'satchel feed addresses';
/**
 * The length in bytes of the stored id in a feed address. The length is a multiple of three, so the base64url form of
 * an id needs no padding and is unique.
 */
const ID_BYTES = 12;
const ID_LENGTH = 16;
const SHAPE = /^[\w-]{48}$/;

/**
 * Creates and verifies feed tokens, the secret parts of feed addresses. A feed token consists of a stored id and its
 * signature. Signatures are not stored, so a copy of the database contains no feed address.
 */
@Injectable()
export class FeedTokens {
  private readonly signatures: Signatures;

  constructor({ sessionSecrets }: Config) {
    this.signatures = new Signatures(sessionSecrets, PURPOSE);
  }

  newId(): Buffer {
    return randomBytes(ID_BYTES);
  }

  tokenOf(id: Buffer): string {
    return `${id.toString('base64url')}${this.signatures.of(id)}`;
  }

  /** Returns the stored id of a feed token, or undefined if this service has not signed the token. */
  idIn(token: string): Buffer | undefined {
    if (!SHAPE.test(token)) {
      return undefined;
    }
    const id = Buffer.from(token.slice(0, ID_LENGTH), 'base64url');
    return this.signatures.isOf(id, token.slice(ID_LENGTH)) ? id : undefined;
  }
}
