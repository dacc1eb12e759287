import type { Request } from 'express';

import type { ConsumerKeysService } from './consumer-keys.service.js';
import { ConsumerKeyMissingError } from './consumers.errors.js';
import { credentialsOf } from './credentials.js';
import type { ConsumerKey } from './entities/consumer-key.entity.js';

/** The key of the enabled application that calls; null for any other. Throws ConsumerKeyMissingError. */
export async function findCallingKey(
  request: Request,
  keys: ConsumerKeysService,
): Promise<ConsumerKey | null> {
  const { consumerKey } = credentialsOf(request);
  if (consumerKey === undefined) {
    throw new ConsumerKeyMissingError();
  }
  return keys.findEnabled(consumerKey);
}
