import request, { type Response, type Test } from 'supertest';

import { parseDocument } from '../../src/lib/extraction/dom.js';
import type { aVisitor } from './oauth-api.js';
import type { TestApp } from './test-app.js';

type Fields = Readonly<Record<string, string>>;
export type Visitor = Awaited<ReturnType<typeof aVisitor>>;

export const KEYS_PATH = '/account/keys';
/** Form fields with all permissions selected. */
export const ALL_CHOSEN: Fields = { retrieve: '1', add: '1', modify: '1' };

/** Both parts of a personal key, as sent in calls. */
interface KeyPair {
  readonly consumer_key: string;
  readonly access_token: string;
}

/** Creates and uses personal keys. */
export class PersonalKeysApi {
  constructor(private readonly app: TestApp) {}

  /** Submits the form that creates a key. */
  async send(visitor: Visitor, fields: Fields): Promise<Response> {
    return visitor.submit(await visitor.form(KEYS_PATH, KEYS_PATH), fields);
  }

  /** Creates a key. Fails the test if that fails. */
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

  /** Returns the stored keys of a user. */
  rowsOf({ user }: Visitor): Promise<unknown[]> {
    return this.app.database.query('SELECT id FROM consumer_keys WHERE owner_id = $1', [user.id]);
  }
}

/** Reads the key from the page that shows it. */
export function pairIn({ text }: Response): KeyPair {
  const { body } = parseDocument(text);
  const shown = (name: string): string =>
    body.querySelector(`[data-${name}]`)?.getAttribute(`data-${name}`) ?? '';
  return { consumer_key: shown('consumer-key'), access_token: shown('access-token') };
}
