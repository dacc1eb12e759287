import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';

import { AccessTokens } from '../access-tokens.js';
import { hashOf, isOpaqueToken } from '../opaque-token.js';
import { CallerLists, type ListSummary } from './caller-lists.js';
import {
  type CallerQuery,
  type CallerRow,
  ConsumerKeyRepository,
} from './consumer-key.repository.js';
import type { ConsumerKey, PageSize } from './entities/consumer-key.entity.js';
import { GrantRepository } from './grant.repository.js';

/**
 * An enabled application, and the user for whom it calls the API. Without a valid access token, the
 * user is undefined.
 */
interface Caller {
  readonly consumer: Pick<ConsumerKey, 'id' | 'permissions' | 'dialect'> & {
    readonly pageSize: PageSize;
  };
  readonly user: { readonly id: string; readonly list: ListSummary } | undefined;
  /** True if the access token was issued to another application. */
  readonly isTokenOfAnother: boolean;
}

const MOST_AT_ONCE = 100;

/**
 * Finds the application and the user of each API call (specification of the v3 API,
 * "Authentication"). Calls that arrive at the same time share one query. The results are not
 * cached.
 */
@Injectable()
export class Callers {
  private readonly loader: DataLoader<CallerQuery, CallerRow | undefined>;

  constructor(
    keys: ConsumerKeyRepository,
    lists: CallerLists,
    private readonly grants: GrantRepository,
    private readonly accessTokens: AccessTokens,
  ) {
    this.loader = new DataLoader((asked) => keys.findCallers(asked, lists), {
      cache: false,
      maxBatchSize: MOST_AT_ONCE,
      batchScheduleFn: setImmediate,
    });
  }

  /**
   * Returns the application with this key and the user of the access token. Returns undefined if the consumer key is
   * unknown, disabled or expired.
   */
  async find(consumerKey: string, accessToken = ''): Promise<Caller | undefined> {
    const row = await this.loader.load({
      keyHash: hashOf(consumerKey),
      ...this.tokenIn(accessToken),
    });
    if (row !== undefined && row.grant_to_touch !== null) {
      await this.grants.touch(row.grant_to_touch);
    }
    return row && callerOf(row);
  }

  private tokenIn(accessToken: string): Omit<CallerQuery, 'keyHash'> {
    return isOpaqueToken(accessToken)
      ? { tokenHash: hashOf(accessToken) }
      : { subject: this.accessTokens.verify(accessToken) };
  }
}

const callerOf = (row: CallerRow): Caller => ({
  consumer: {
    id: row.id,
    permissions: row.permissions,
    dialect: row.dialect,
    pageSize: { maxCount: row.maxCount, defaultCount: row.defaultCount },
  },
  user: row.user_id === null ? undefined : { id: row.user_id, list: row },
  isTokenOfAnother: row.is_token_of_another,
});
