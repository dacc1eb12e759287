import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Config } from '../config/config.js';

const PURPOSE = 'satchel feed addresses';
const KEY_BYTES = 32;
const ID_BYTES = 12;
const SIGNATURE_BYTES = 24;
/** Both parts are multiples of three bytes long: each token has one spelling. */
const SHAPE = /^[\w-]{48}$/;

/** The secret part of feed addresses: a stored id and its signature, so that the database alone tells no address. */
@Injectable()
export class FeedTokens {
  private readonly keys: readonly Buffer[];

  constructor({ sessionSecrets }: Config) {
    this.keys = sessionSecrets.map((secret) =>
      Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, KEY_BYTES)),
    );
  }

  newId(): Buffer {
    return randomBytes(ID_BYTES);
  }

  tokenOf(id: Buffer): string {
    const signatures = this.keys.slice(0, 1).map((key) => signed(key, id));
    return Buffer.concat([id, ...signatures]).toString('base64url');
  }

  /** Undefined for what this service has not signed. */
  idIn(token: string): Buffer | undefined {
    if (!SHAPE.test(token)) {
      return undefined;
    }
    const bytes = Buffer.from(token, 'base64url');
    const id = bytes.subarray(0, ID_BYTES);
    const signature = bytes.subarray(ID_BYTES);
    const isSigned = this.keys.some((key) => timingSafeEqual(signed(key, id), signature));
    return isSigned ? id : undefined;
  }
}

const signed = (key: Buffer, id: Buffer): Buffer =>
  createHmac('sha256', key).update(id).digest().subarray(0, SIGNATURE_BYTES);
