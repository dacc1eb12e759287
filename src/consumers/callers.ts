import { Injectable, Logger } from '@nestjs/common';

import { AccessTokens } from '../auth/access-tokens.js';
import { Database } from '../database/database.js';
import { run } from '../database/statements.js';
import { hashOf } from './consumer-key.store.js';
import type { ConsumerKey } from './entities/consumer-key.entity.js';
import { GrantStore } from './grant.store.js';
import { isOpaqueToken } from './opaque-token.js';

/** An enabled application, and the user it acts for; undefined when its access token is nobody's. */
export interface Caller {
  readonly consumer: Pick<ConsumerKey, 'id' | 'permissions' | 'dialect'>;
  readonly userId: string | undefined;
  /** The access token was given to another application. */
  readonly isTokenOfAnother: boolean;
}

type CallerRow = Caller['consumer'] & {
  readonly user_id: string | null;
  readonly is_token_of_another: boolean;
  /** A grant whose last use was noted too long ago. */
  readonly grant_to_touch: string | null;
};

/** Every call of the API waits for this: one statement for all, by unique indexes. */
const FIND = `
  SELECT keys.id, keys.permissions, keys.dialect, users.id AS user_id,
    coalesce(grants.consumer_key_id <> keys.id, false) AS is_token_of_another,
    CASE WHEN grants.consumer_key_id = keys.id AND users.id IS NOT NULL
      AND coalesce(grants.last_used_at < now() - interval '10 minutes', true) THEN grants.id END AS grant_to_touch
  FROM consumer_keys keys
    LEFT JOIN grants ON grants.token_hash = $4
    LEFT JOIN users ON users.id = coalesce($2, grants.user_id) AND users.disabled_at IS NULL
      AND users.session_epoch = coalesce($3, users.session_epoch)
  WHERE keys.key_hash = $1 AND keys.disabled_at IS NULL`;

/** Tells who calls the reading-list part (specification, "Authentication"). */
@Injectable()
export class Callers {
  private readonly logger = new Logger(Callers.name);

  constructor(
    private readonly database: Database,
    private readonly accessTokens: AccessTokens,
  ) {}

  /** Undefined for an unknown or disabled consumer key; an access token that is absent is nobody's. */
  async find(consumerKey: string, accessToken = ''): Promise<Caller | undefined> {
    const values = [hashOf(consumerKey), ...this.tokenValues(accessToken)];
    const [row] = await this.database.read((manager) =>
      run<CallerRow>(manager, { text: FIND, values }),
    );
    if (row !== undefined && row.grant_to_touch !== null) {
      await this.touch(row.grant_to_touch);
    }
    return row && callerOf(row);
  }

  /** User and epoch of a token that a login gave, the hash of one that a person gave an application. */
  private tokenValues(accessToken: string): readonly unknown[] {
    if (isOpaqueToken(accessToken)) {
      return [null, null, hashOf(accessToken)];
    }
    const subject = this.accessTokens.verify(accessToken);
    return [subject?.userId, subject?.sessionEpoch, null];
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
  consumer: { id: row.id, permissions: row.permissions, dialect: row.dialect },
  userId: row.user_id ?? undefined,
  isTokenOfAnother: row.is_token_of_another,
});
