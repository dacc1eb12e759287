import { Injectable } from '@nestjs/common';

import type { User } from '../../../auth/entities/user.entity.js';
import { Signatures } from '../../../platform/common/signatures.js';
import { Config } from '../../../platform/config/config.js';

const PURPOSE = 'satchel keys of bookmarklets';

/** Makes and checks the keys of bookmarklets, with which a user saves pages from any site without being asked. */
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

/** Logging out everywhere ends a key as it ends the sessions. */
const signedPartsOf = ({ id, tokenVersion }: User): string => `${id}/${tokenVersion}`;
