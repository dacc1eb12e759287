import { hkdfSync } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Config } from '../../platform/config/config.js';
import type { IssuedConsumerKey } from './consumer-key.repository.js';
import { ConsumerKeysService } from './consumer-keys.service.js';
import { ConsumerKeyTakenError } from './consumers.errors.js';
import { Dialect } from './entities/consumer-key.entity.js';
import { ALL_PERMISSIONS } from './permission.js';

const PURPOSE = 'satchel browser extension';
/**
 * The number of random bytes in a consumer key, the same as in generated keys of applications
 * (docs/decisions/0012).
 */
const KEY_BYTES = 12;

/**
 * Manages the consumer key that the browser extensions of all users share. The key is derived from a secret of the
 * installation, so it can be shown again although only its hash is stored (docs/decisions/0059).
 */
@Injectable()
export class ExtensionKeyService {
  private readonly candidates: readonly string[];

  constructor(
    { sessionSecrets }: Config,
    private readonly keys: ConsumerKeysService,
  ) {
    this.candidates = sessionSecrets.map(derivedKey);
  }

  /**
   * Returns the key, or undefined if it has not been created yet. After a rotation of the secret,
   * the existing key stays in use.
   */
  async find(): Promise<IssuedConsumerKey | undefined> {
    for (const key of this.candidates) {
      const stored = await this.keys.find(key);
      if (stored !== null) {
        return { key, stored };
      }
    }
    return undefined;
  }

  /**
   * Returns the extension key, and creates the key if it is missing. A disabled key stays disabled.
   */
  async findOrMake(): Promise<IssuedConsumerKey> {
    return (await this.find()) ?? this.make();
  }

  private async make(): Promise<IssuedConsumerKey> {
    const permissions = [...ALL_PERMISSIONS];
    const details = { name: 'Satchel browser extension', permissions, dialect: Dialect.Standard };
    try {
      return await this.keys.create(details, { adopted: this.candidates[0], by: 'service' });
    } catch (error) {
      // A parallel call may have created the key after this call looked it up.
      const made = error instanceof ConsumerKeyTakenError ? await this.find() : undefined;
      if (made === undefined) {
        throw error;
      }
      return made;
    }
  }
}

const derivedKey = (secret: string): string =>
  `extension-${Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, KEY_BYTES)).toString('hex')}`;
