import { Injectable } from '@nestjs/common';

import { SignedIds } from '../../platform/common/signed-ids.js';
import { Config } from '../../platform/config/config.js';

const KIND = { purpose: 'satchel public links', idBytes: 18 } as const;

/** Creates and verifies share tokens, the secret parts of public links. */
@Injectable()
export class ShareTokens extends SignedIds {
  constructor({ sessionSecrets }: Config) {
    super(sessionSecrets, KIND);
  }
}
