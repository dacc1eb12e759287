import request, { type Test } from 'supertest';

import { ALL_PERMISSIONS, type Permission } from '../../src/auth/consumers/permission.js';
import { ReadingListApi } from './reading-list-api.js';
import type { TestApp } from './test-app.js';
import { WallabagApi } from './wallabag-api.js';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Members = Readonly<Record<string, unknown>>;

/** How a client can send members. */
export const WAYS = ['json', 'form', 'query'] as const;
type Way = (typeof WAYS)[number];

const texts = (members: Members): Record<string, string> =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      value === null || typeof value === 'string' ? (value ?? '') : JSON.stringify(value),
    ]),
  );

/** The calls of a wallabag client and a v3 client of the same user. */
export class WallabagCalls {
  private constructor(
    private readonly app: TestApp,
    readonly v3: ReadingListApi,
    private readonly token: string,
  ) {}

  static async of(
    app: TestApp,
    { permissions = ALL_PERMISSIONS, v3 }: Partial<Client> = {},
  ): Promise<WallabagCalls> {
    const list = v3 ?? (await ReadingListApi.of(app));
    const client = await WallabagApi.of(app, { permissions });
    const { access_token: token } = await client.tokens(list.user);
    return new WallabagCalls(app, list, token);
  }

  /** Returns the same client and user at another instance. */
  at(instance: TestApp): WallabagCalls {
    return new WallabagCalls(instance, this.v3.at(instance), this.token);
  }

  /** Sends members as JSON unless `way` says otherwise. */
  call(method: Method, path: string, members: Members = {}, way: Way = 'json'): Test {
    const call = request(this.app.url)
      [method](`/wallabag/api/${path}`)
      .set('Authorization', `Bearer ${this.token}`);
    if (way === 'query') {
      return call.query(texts(members));
    }
    return way === 'form' ? call.type('form').send(texts(members)) : call.send(members);
  }

  /** Saves an entry. Returns the answer. */
  async saved(members: Members): Promise<Entry> {
    return (await this.call('post', 'entries', members).expect(200)).body as Entry;
  }

  /** Returns the whole list as v3 clients see it, for comparison. */
  async everything(): Promise<object> {
    const { list } = await this.v3.found({ state: 'all', detailType: 'complete', annotations: 1 });
    return list;
  }
}

interface Client {
  readonly permissions: readonly Permission[];
  readonly v3: ReadingListApi;
}

/** The members of an entry that tests read. */
export interface Entry {
  readonly id: number;
  readonly title: string;
  readonly content: string | null;
  readonly is_archived: number;
  readonly is_starred: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly tags: readonly { readonly id: number; readonly label: string }[];
  readonly annotations: readonly unknown[];
}

export const labelsOf = ({ tags }: Pick<Entry, 'tags'>): string[] =>
  tags.map(({ label }) => label).sort();
