import { Injectable, Logger } from '@nestjs/common';
import DataLoader from 'dataloader';

import { AccessTokens } from '../auth/access-tokens.js';
import { Database } from '../database/database.js';
import type { ListHead } from '../reading-list/entities/list-head.js';
import { hashOf } from './consumer-key.store.js';
import type { ConsumerKey, PageSize } from './entities/consumer-key.entity.js';
import { type CallerClaim, type CallerRow, findCallers } from './find-callers.js';
import { GrantStore } from './grant.store.js';
import { isOpaqueToken } from './opaque-token.js';

/** An enabled application, and the user it acts for; undefined when its access token is nobody's. */
export interface Caller {
  readonly consumer: Pick<ConsumerKey, 'id' | 'permissions' | 'dialect'> & {
    readonly pageSize: PageSize;
  };
  readonly user: { readonly id: string; readonly list: ListHead } | undefined;
  /** The access token was given to another application. */
  readonly isTokenOfAnother: boolean;
}

const MOST_AT_ONCE = 100;

/**
 * Tells who calls the reading-list part (specification, "Authentication"). Calls that have arrived together are
 * looked up in one statement, which begins after the last of them: nothing is kept from one call to the next.
 */
@Injectable()
export class Callers {
  private readonly logger = new Logger(Callers.name);
  private readonly loader: DataLoader<CallerClaim, CallerRow | undefined>;

  constructor(
    private readonly database: Database,
    private readonly accessTokens: AccessTokens,
  ) {
    this.loader = new DataLoader(
      (claims) => database.read((manager) => findCallers(manager, claims)),
      { cache: false, maxBatchSize: MOST_AT_ONCE, batchScheduleFn: setImmediate },
    );
  }

  /** Undefined for an unknown or disabled consumer key; an access token that is absent is nobody's. */
  async find(consumerKey: string, accessToken = ''): Promise<Caller | undefined> {
    const row = await this.loader.load({
      keyHash: hashOf(consumerKey),
      ...this.claimedBy(accessToken),
    });
    if (row !== undefined && row.grant_to_touch !== null) {
      await this.touch(row.grant_to_touch);
    }
    return row && callerOf(row);
  }

  private claimedBy(accessToken: string): Omit<CallerClaim, 'keyHash'> {
    return isOpaqueToken(accessToken)
      ? { tokenHash: hashOf(accessToken) }
      : { subject: this.accessTokens.verify(accessToken) };
  }

  /** A call is answered whether or not it can be noted. */
  private async touch(grantId: string): Promise<void> {
    try {
      await this.database.read((manager) => new GrantStore(manager).touch(grantId));
    } catch (error) {
      this.logger.warn(`the use of grant ${grantId} is not noted: ${String(error)}`);
    }
  }
}

const callerOf = (row: CallerRow): Caller => ({
  consumer: {
    ...{ id: row.id, permissions: row.permissions, dialect: row.dialect },
    pageSize: { maxCount: row.maxCount, defaultCount: row.defaultCount },
  },
  user: row.user_id === null ? undefined : { id: row.user_id, list: row },
  isTokenOfAnother: row.is_token_of_another,
});
