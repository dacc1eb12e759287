import request, { type Response, type Test } from 'supertest';

import { parseDocument } from '../../src/lib/extraction/dom.js';
import type { aVisitor } from './oauth-api.js';
import type { TestApp } from './test-app.js';

type Fields = Readonly<Record<string, string>>;
export type Visitor = Awaited<ReturnType<typeof aVisitor>>;

export const KEYS_PATH = '/account/keys';
/** As the form sends them. */
export const ALL_CHOSEN: Fields = { retrieve: '1', add: '1', modify: '1' };

/** Both parts of a personal key, as calls carry them. */
interface KeyPair {
  readonly consumer_key: string;
  readonly access_token: string;
}

/** The personal keys of users, as they make and use them. */
export class PersonalKeysApi {
  constructor(private readonly app: TestApp) {}

  /** Sends the form that makes a key. */
  async send(visitor: Visitor, fields: Fields): Promise<Response> {
    return visitor.submit(await visitor.form(KEYS_PATH, KEYS_PATH), fields);
  }

  /** Makes a key, and fails the test if that fails. */
  async make(visitor: Visitor, fields: Fields = ALL_CHOSEN): Promise<KeyPair> {
    const answer = await this.send(visitor, { name: 'Script', ...fields });
    expect(answer.status).toBe(200);
    return pairIn(answer);
  }

  call(path: string, pair: object, members: object = {}): Test {
    return request(this.app.url)
      .post(path)
      .send({ ...pair, ...members });
  }

  get(pair: object): Test {
    return this.call('/v3/get', pair);
  }

  /** The keys of a user that are stored. */
  rowsOf({ user }: Visitor): Promise<unknown[]> {
    return this.app.database.query('SELECT id FROM consumer_keys WHERE owner_id = $1', [user.id]);
  }
}

/** The pair that an answer shows. */
export function pairIn({ text }: Response): KeyPair {
  const { body } = parseDocument(text);
  const shown = (name: string): string =>
    body.querySelector(`[data-${name}]`)?.getAttribute(`data-${name}`) ?? '';
  return { consumer_key: shown('consumer-key'), access_token: shown('access-token') };
}
