import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import type { User } from '../../../auth/entities/user.entity.js';
import { Config } from '../../../config/config.js';

const PURPOSE = 'satchel keys of bookmarklets';
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 24;
const SIGNATURE = /^[\w-]{32}$/;

/** The keys in the bookmarklets of users: a page that is saved with one is saved by its user, whichever site is open. */
@Injectable()
export class SaveKeys {
  private readonly keys: readonly Buffer[];

  constructor({ sessionSecrets }: Config) {
    this.keys = sessionSecrets.map((secret) =>
      Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, KEY_BYTES)),
    );
  }

  keyOf(user: User): string {
    const [key] = this.keys;
    return key === undefined ? '' : signed(key, user).toString('base64url');
  }

  isKeyOf(user: User, text: string): boolean {
    const given = Buffer.from(text, 'base64url');
    return (
      SIGNATURE.test(text) && this.keys.some((key) => timingSafeEqual(signed(key, user), given))
    );
  }
}

/** Logging out everywhere ends a key as it ends the sessions. */
const signed = (key: Buffer, { id, tokenVersion }: User): Buffer =>
  createHmac('sha256', key).update(`${id}/${tokenVersion}`).digest().subarray(0, SIGNATURE_BYTES);
