import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';

import { AccessTokens } from '../auth/access-tokens.js';
import { Database } from '../database/database.js';
import type { ListHead } from '../reading-list/entities/list-head.js';
import { hashOf } from './consumer-key.store.js';
import type { ConsumerKey } from './entities/consumer-key.entity.js';
import { type CallerClaim, type CallerRow, findCallers } from './find-callers.js';

/** An enabled application, and the user it acts for; undefined when its access token is nobody's. */
export interface Caller {
  readonly consumer: Pick<ConsumerKey, 'id' | 'permissions' | 'dialect'>;
  readonly user: { readonly id: string; readonly list: ListHead } | undefined;
}

const MOST_AT_ONCE = 100;

/**
 * Tells who calls the reading-list part (specification, "Authentication"). Calls that have arrived together are
 * looked up in one statement, which begins after the last of them: nothing is kept from one call to the next.
 */
@Injectable()
export class Callers {
  private readonly loader: DataLoader<CallerClaim, CallerRow | undefined>;

  constructor(
    database: Database,
    private readonly accessTokens: AccessTokens,
  ) {
    this.loader = new DataLoader(
      (claims) => database.read((manager) => findCallers(manager, claims)),
      { cache: false, maxBatchSize: MOST_AT_ONCE, batchScheduleFn: setImmediate },
    );
  }

  /** Undefined for an unknown or disabled consumer key; an access token that is absent is nobody's. */
  async find(consumerKey: string, accessToken = ''): Promise<Caller | undefined> {
    const subject = this.accessTokens.verify(accessToken);
    const row = await this.loader.load({ keyHash: hashOf(consumerKey), subject });
    return (
      row && {
        consumer: row,
        user: row.user_id === null ? undefined : { id: row.user_id, list: row },
      }
    );
  }
}
