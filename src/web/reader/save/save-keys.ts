import { Injectable } from '@nestjs/common';

import type { User } from '../../../auth/entities/user.entity.js';
import { Signatures } from '../../../platform/common/signatures.js';
import { Config } from '../../../platform/config/config.js';

const PURPOSE = 'satchel keys of bookmarklets';

/**
 * Creates and checks the keys in bookmarklets. A bookmarklet with such a key saves pages of any site without
 * confirmation.
 */
@Injectable()
export class SaveKeys {
  private readonly signatures: Signatures;

  constructor({ sessionSecrets }: Config) {
    this.signatures = new Signatures(sessionSecrets, PURPOSE);
  }

  keyOf(user: User): string {
    return this.signatures.of(signedPartsOf(user));
  }

  isKeyOf(user: User, text: string): boolean {
    return this.signatures.isOf(signedPartsOf(user), text);
  }
}

/**
 * Returns the text from which a key is computed. The text contains the token version, so the key becomes invalid when
 * the user is signed out everywhere.
 */
const signedPartsOf = ({ id, tokenVersion }: User): string => `${id}/${tokenVersion}`;
