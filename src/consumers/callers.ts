import { Injectable } from '@nestjs/common';

import { AccessTokens } from '../auth/access-tokens.js';
import { Database } from '../database/database.js';
import { run } from '../database/statements.js';
import { hashOf } from './consumer-key.store.js';
import type { ConsumerKey } from './entities/consumer-key.entity.js';

/** An enabled application, and the user it acts for; undefined when its access token is nobody's. */
export interface Caller {
  readonly consumer: Pick<ConsumerKey, 'id' | 'permissions' | 'dialect'>;
  readonly userId: string | undefined;
}

type CallerRow = Caller['consumer'] & { readonly is_signed_in: boolean };

/** Every call of the API waits for this: one statement for both, by unique indexes. */
const FIND = `
  SELECT id, permissions, dialect, EXISTS (
    SELECT FROM users WHERE users.id = $2 AND users.session_epoch = $3 AND users.disabled_at IS NULL) AS is_signed_in
  FROM consumer_keys WHERE key_hash = $1 AND disabled_at IS NULL`;

/** Tells who calls the reading-list part (specification, "Authentication"). */
@Injectable()
export class Callers {
  constructor(
    private readonly database: Database,
    private readonly accessTokens: AccessTokens,
  ) {}

  /** Undefined for an unknown or disabled consumer key; an access token that is absent is nobody's. */
  async find(consumerKey: string, accessToken = ''): Promise<Caller | undefined> {
    const subject = this.accessTokens.verify(accessToken);
    const values = [hashOf(consumerKey), subject?.userId, subject?.sessionEpoch];
    const [row] = await this.database.read((manager) =>
      run<CallerRow>(manager, { text: FIND, values }),
    );
    return row && { consumer: row, userId: row.is_signed_in ? subject?.userId : undefined };
  }
}
