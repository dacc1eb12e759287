import { Injectable } from '@nestjs/common';

import { SignedIds } from '../../platform/common/signed-ids.js';
import { Config } from '../../platform/config/config.js';

const KIND = { purpose: 'satchel feed addresses', idBytes: 12 } as const;

/** Creates and verifies feed tokens, the secret parts of feed addresses. */
@Injectable()
export class FeedTokens extends SignedIds {
  constructor({ sessionSecrets }: Config) {
    super(sessionSecrets, KIND);
  }
}
