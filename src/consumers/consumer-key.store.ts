import { createHash, randomBytes } from 'node:crypto';

import { type EntityManager, IsNull } from 'typeorm';

import { ConsumerKeyTakenError } from './consumers.errors.js';
import { ConsumerKey, type PageSize } from './entities/consumer-key.entity.js';

/** What an administrator chooses for an application; the dialect decides on pages unless the key has a size. */
export type ConsumerKeyDetails = Pick<ConsumerKey, 'name' | 'permissions' | 'dialect'> &
  Partial<PageSize>;

/** A key as it is shown once, beside what is stored of it. */
export interface IssuedConsumerKey {
  readonly key: string;
  readonly stored: ConsumerKey;
}

const KEY_BYTES = 12;
const ID_SHAPE = /^[1-9][0-9]{0,17}$/;

/** What is stored of a key. */
export const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();

/** The applications, seen through one connection. */
export class ConsumerKeyStore {
  constructor(private readonly manager: EntityManager) {}

  /** The digits of the key are its id, so that a person can tell which key a client uses (docs/decisions/0012). */
  async insert(details: ConsumerKeyDetails): Promise<IssuedConsumerKey> {
    const id = await this.nextId();
    return this.keep(details, id, `${id}-${randomBytes(KEY_BYTES).toString('hex')}`);
  }

  /** A key that somebody else has made and compiled into an application. Throws ConsumerKeyTakenError. */
  async adopt(details: ConsumerKeyDetails, key: string): Promise<IssuedConsumerKey> {
    return this.keep(details, await this.nextId(), key);
  }

  private async nextId(): Promise<string> {
    const [row] = await this.manager.query<{ id: string }[]>(
      `SELECT nextval(pg_get_serial_sequence('consumer_keys', 'id')) AS id`,
    );
    return row?.id ?? '';
  }

  private async keep(
    { name, permissions, dialect, maxCount, defaultCount }: ConsumerKeyDetails,
    id: string,
    key: string,
  ): Promise<IssuedConsumerKey> {
    await this.manager.query(
      `INSERT INTO consumer_keys (id, name, key_hash, permissions, dialect, max_count, default_count)
       OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (key_hash) DO NOTHING`,
      [id, name, hashOf(key), permissions, dialect, maxCount, defaultCount],
    );
    const stored = await this.manager.findOneBy(ConsumerKey, { id });
    if (stored === null) {
      throw new ConsumerKeyTakenError();
    }
    return { key, stored };
  }

  /** The id of the key that a person means, who names its id or the key itself. */
  async findId(reference: string): Promise<string | undefined> {
    return ID_SHAPE.test(reference)
      ? reference
      : (await this.manager.findOneBy(ConsumerKey, { keyHash: hashOf(reference) }))?.id;
  }

  findEnabled(key: string): Promise<ConsumerKey | null> {
    return this.manager.findOneBy(ConsumerKey, { keyHash: hashOf(key), disabledAt: IsNull() });
  }

  /** Tells whether a row was changed. */
  async update(id: string, changes: Partial<Omit<ConsumerKey, 'id'>>): Promise<boolean> {
    const { affected } = await this.manager.update(ConsumerKey, { id }, changes);
    return affected === 1;
  }

  /** A key that is disabled already keeps its time. */
  async disable(id: string, at: Date): Promise<boolean> {
    await this.manager.update(ConsumerKey, { id, disabledAt: IsNull() }, { disabledAt: at });
    return this.manager.existsBy(ConsumerKey, { id });
  }

  async delete(id: string): Promise<boolean> {
    const { affected } = await this.manager.delete(ConsumerKey, { id });
    return affected === 1;
  }

  list(): Promise<ConsumerKey[]> {
    return this.manager.find(ConsumerKey, { order: { id: 'ASC' } });
  }

  /** False from the first key on, also when all keys were deleted since. */
  async wasNeverUsed(): Promise<boolean> {
    const [row] = await this.manager.query<{ is_called: boolean }[]>(
      'SELECT is_called FROM consumer_keys_id_seq',
    );
    return row?.is_called === false;
  }
}
