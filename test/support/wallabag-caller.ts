import request, { type Test } from 'supertest';

import { ReadingListApi } from './reading-list-api.js';
import type { TestApp } from './test-app.js';
import { WallabagApi } from './wallabag-api.js';
import { strictEntry, type StrictList, strictList } from './wallabag-entry.js';

type Query = Readonly<Record<string, unknown>>;

/** A user with a v3 client and a wallabag client. */
export class WallabagCaller {
  private constructor(
    private readonly app: TestApp,
    readonly v3: ReadingListApi,
    private readonly token: string,
  ) {}

  static async of(app: TestApp): Promise<WallabagCaller> {
    const v3 = await ReadingListApi.of(app);
    const { access_token: token } = await (await WallabagApi.of(app)).tokens(v3.user);
    return new WallabagCaller(app, v3, token);
  }

  get(path: string, query: Query = {}): Test {
    return request(this.app.url)
      .get(`/wallabag/api/${path}`)
      .query(query)
      .set('Authorization', `Bearer ${this.token}`);
  }

  /** Fetches a list, which must be valid. */
  async list(query: Query = {}, path = 'entries'): Promise<StrictList> {
    const { body, headers } = await this.get(path, query).expect(200);
    expect(headers['content-type']).toBe('application/json');
    return strictList(body);
  }

  /** Returns the URL paths of a list. */
  async names(query: Query = {}): Promise<string[]> {
    return (await this.list(query)).items.map(({ given_url: url }) =>
      new URL(url).pathname.slice(1),
    );
  }

  async entry(number: number): Promise<ReturnType<typeof strictEntry>> {
    return strictEntry((await this.get(`entries/${number}`).expect(200)).body);
  }

  /** Saves a page by v3. Returns the number of its entry. */
  async saved(url: string, members: object = {}): Promise<number> {
    await this.v3.saved(url, members);
    const { body } = await this.get('entries/exists', { url, return_id: 1 }).expect(200);
    return Number((body as { exists: unknown }).exists);
  }
}
