import { randomBytes } from 'node:crypto';

import { IsNull, Raw } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { violates } from '../../platform/database/database.errors.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { message } from '../../platform/i18n/message.js';
import type { TokenSubject } from '../access-tokens.js';
import { hashOf } from '../opaque-token.js';
import type { LanguageChoice } from '../user-language.js';
import type { CallerLists, ListSummary } from './caller-lists.js';
import { ConsumerKeyTakenError, LoginNameError } from './consumers.errors.js';
import {
  FIND_CALLERS,
  FIND_PASSWORD_HOLDER,
  INSERT_KEY,
  IS_KEY_ID_USED,
  NEXT_KEY_ID,
} from './consumers.sql.js';
import { ConsumerKey, KeyKind, type PageSize } from './entities/consumer-key.entity.js';

/**
 * Properties that an administrator chooses for an application. Without a number of items per
 * response, the response format determines this number.
 */
export type ConsumerKeyDetails = Pick<ConsumerKey, 'name' | 'permissions' | 'dialect'> &
  Partial<PageSize>;

/** Properties of a key that are set when it is created and never change. */
export interface KeyOrigin {
  /**
   * A fixed key that an existing application contains in its code. It is stored instead of a
   * generated key.
   */
  readonly adopted?: string | undefined;
  /** The user who created the key for private use. Undefined for the key of an application. */
  readonly ownerId?: string;
  /** The kind of the key. The default is KeyKind.Key. */
  readonly kind?: KeyKind;
  /** The SHA-256 of the client secret, for a client of wallabag. */
  readonly secretHash?: Buffer;
  /** The user name that an application password accepts in addition to the email address. */
  readonly loginName?: string | undefined;
  /** The number of days after which the key does not work any more. Without it, the key never expires. */
  readonly validDays?: number | undefined;
}

/** A new key, which is shown once, and its database row. */
export interface IssuedConsumerKey {
  readonly key: string;
  readonly stored: ConsumerKey;
}

/**
 * The credentials of one API call. A call without `subject` and `tokenHash` is a call without a
 * user.
 */
export interface CallerQuery {
  readonly keyHash: Buffer;
  /** The user of an access token that was issued by a login. */
  readonly subject?: TokenSubject | undefined;
  /** The hash of an access token that was issued when a user authorized the application. */
  readonly tokenHash?: Buffer;
}

/**
 * An enabled application. If it calls for a user, the row also contains this user, and the version
 * and counts of the user's list.
 */
export interface CallerRow
  extends Pick<ConsumerKey, 'id' | 'permissions' | 'dialect'>, PageSize, ListSummary {
  readonly user_id: string | null;
  readonly is_token_of_another: boolean;
  /**
   * The id of the user's grant for the application, if its time of last use must be updated.
   * Otherwise null.
   */
  readonly grant_to_touch: string | null;
}

/** An enabled application password with its enabled user, and the version and counts of the user's list. */
export interface PasswordHolderRow
  extends Omit<CallerRow, 'user_id' | 'is_token_of_another'>, LanguageChoice {
  readonly user_id: string;
}

type Found = Omit<CallerRow, keyof ListSummary> | { readonly id: null; readonly user_id: null };

/** Selects keys that are neither disabled nor expired. */
const USABLE = {
  disabledAt: IsNull(),
  expiresAt: Raw((column) => `coalesce(${column} > now(), true)`),
};

const KEY_BYTES = 12;
const ID_SHAPE = /^[1-9][0-9]{0,17}$/;

export class ConsumerKeyRepository extends CustomRepository<ConsumerKey> {
  static readonly entity = ConsumerKey;

  /**
   * Finds the applications and users of many calls in one statement. A result is undefined if the consumer key is
   * unknown, disabled or expired. A result is an error if the server of the user's list is unreachable.
   */
  async findCallers(
    asked: readonly CallerQuery[],
    lists: CallerLists,
  ): Promise<(CallerRow | Error | undefined)[]> {
    const values = [
      asked.map(({ keyHash }) => keyHash),
      asked.map(({ subject }) => subject?.userId),
      asked.map(({ subject }) => subject?.tokenVersion),
      asked.map(({ tokenHash }) => tokenHash),
    ];
    const rows = await lists.query<Found>(this.manager, FIND_CALLERS, values);
    return rows.map((row) => (row instanceof Error || row.id !== null ? row : undefined));
  }

  /**
   * Returns the user of an application password. `login` is the email address of the user or the login name of the
   * password.
   */
  async findPasswordHolder(
    tokenHash: Buffer,
    login: string,
    lists: CallerLists,
  ): Promise<PasswordHolderRow | undefined> {
    const values = [tokenHash, login];
    const [row] = await lists.query<Omit<PasswordHolderRow, keyof ListSummary>>(
      this.manager,
      FIND_PASSWORD_HOLDER,
      values,
    );
    if (row instanceof Error) {
      throw row;
    }
    return row;
  }

  /**
   * Stores a generated key, or a fixed key that an existing application contains in its code. A
   * generated key starts with its id, so that people can recognize the key (docs/decisions/0012).
   * @throws ConsumerKeyTakenError if the key exists already.
   * @throws LoginNameError if another key has the login name.
   */
  async issue(
    details: ConsumerKeyDetails,
    { adopted, ownerId, kind = KeyKind.Key, secretHash, loginName, validDays }: KeyOrigin = {},
  ): Promise<IssuedConsumerKey> {
    const [row] = await queryRows<{ id: string }>(this.manager, NEXT_KEY_ID);
    const id = row?.id ?? '';
    const key = adopted ?? `${id}-${randomBytes(KEY_BYTES).toString('hex')}`;
    const { name, permissions, dialect, maxCount, defaultCount } = details;
    const answers = [permissions, dialect, maxCount, defaultCount];
    const origin = [ownerId, kind, secretHash, loginName, validDays];
    const values = [id, name, hashOf(key), ...answers, ...origin];
    await this.insertKey(values);
    const stored = await this.findOneBy({ id });
    if (stored === null) {
      throw new ConsumerKeyTakenError();
    }
    return { key, stored };
  }

  /** Returns the id of a key. `reference` is the id or the key itself. */
  async findId(reference: string): Promise<string | undefined> {
    return ID_SHAPE.test(reference) ? reference : (await this.findByKey(reference))?.id;
  }

  findByKey(key: string): Promise<ConsumerKey | null> {
    return this.findOneBy({ keyHash: hashOf(key) });
  }

  /**
   * Finds the application with this key, unless it is disabled or expired. Personal keys are not found, because they always act for their owner.
   */
  findEnabledApplication(key: string): Promise<ConsumerKey | null> {
    const shared = { ...USABLE, ownerId: IsNull() };
    return this.findOneBy({ keyHash: hashOf(key), kind: KeyKind.Key, ...shared });
  }

  findEnabledClient(clientId: string): Promise<ConsumerKey | null> {
    return this.findOneBy({
      keyHash: hashOf(clientId),
      kind: KeyKind.Client,
      ...USABLE,
    });
  }

  /**
   * Locks a key, so that it cannot be deleted before the transaction ends. Returns false if the key is deleted,
   * disabled or expired.
   */
  async lockUsable(id: string): Promise<boolean> {
    const lock = { mode: 'for_key_share' } as const;
    return (await this.findOne({ where: { id, ...USABLE }, lock })) !== null;
  }

  /** Returns true if no key has ever been created, not even one that was deleted later. */
  async wasNeverUsed(): Promise<boolean> {
    const [row] = await queryRows<{ is_called: boolean }>(this.manager, IS_KEY_ID_USED);
    return row?.is_called === false;
  }

  private async insertKey(values: readonly unknown[]): Promise<void> {
    try {
      await queryRows(this.manager, INSERT_KEY, values);
    } catch (error) {
      throw violates(error, 'consumer_keys_login_name_key')
        ? new LoginNameError(message('passwords.rules.loginNameTaken'))
        : error;
    }
  }
}
