import request, { type Response, type Test } from 'supertest';

import { ConsumerKeysService } from '../../src/auth/consumers/consumer-keys.service.js';
import { Dialect, type PageSize } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import { ALL_PERMISSIONS, type Permission } from '../../src/auth/consumers/permission.js';
import type { AddedItemResponse } from '../../src/reading-list/add/add.presenter.js';
import type { GetResponse } from '../../src/reading-list/get/get.presenter.js';
import type { ItemResponse } from '../../src/reading-list/get/item.presenter.js';
import type { SendResponse } from '../../src/reading-list/send/send.presenter.js';
import { AccountApi, type SignedIn } from './account-api.js';
import type { TestApp } from './test-app.js';

interface Application {
  readonly dialect?: Dialect;
  readonly pageSize?: PageSize;
  readonly permissions?: readonly Permission[];
  /** An existing user, for a second application. */
  readonly user?: SignedIn;
  /** The consumer key of an existing application. */
  readonly key?: string;
}

/** A `since` before any change of a test, and recent enough that tombstones still exist. */
export const AN_HOUR_AGO = Math.floor(Date.now() / 1000) - 3600;

/** Calls the reading-list endpoints with one consumer key for one user. */
export class ReadingListApi {
  private constructor(
    private readonly app: TestApp,
    readonly user: SignedIn,
    readonly consumerKey: string,
  ) {}

  /** Creates a user with an empty list, and an application with its own key. */
  static async of(app: TestApp, application: Application = {}): Promise<ReadingListApi> {
    const { dialect = Dialect.Standard, permissions = ALL_PERMISSIONS } = application;
    const { pageSize, user } = application;
    const details = { name: 'Reader', permissions: [...permissions], dialect, ...pageSize };
    const key = application.key ?? (await app.app.get(ConsumerKeysService).create(details)).key;
    return new ReadingListApi(app, user ?? (await new AccountApi(app).signedIn()), key);
  }

  /** Returns the same application and user at another instance. */
  at(instance: TestApp): ReadingListApi {
    return new ReadingListApi(instance, this.user, this.consumerKey);
  }

  get credentials(): { readonly consumer_key: string; readonly access_token: string } {
    return { consumer_key: this.consumerKey, access_token: this.user.accessToken };
  }

  /** Sends JSON with the credentials. Omits undefined members. */
  post(path: string, members: object = {}): Test {
    return request(this.app.url)
      .post(path)
      .send({ ...this.credentials, ...members });
  }

  get(members?: object): Test {
    return this.post('/v3/get', members);
  }

  add(members?: object): Test {
    return this.post('/v3/add', members);
  }

  send(actions: unknown, members: object = {}): Test {
    return this.post('/v3/send', { ...members, actions });
  }

  /** Calls get, which must succeed. */
  async found(members?: object): Promise<GetResponse> {
    return (await this.get(members).expect(200)).body as GetResponse;
  }

  /** Returns the items in the order of the answer. */
  async items(members?: object): Promise<ItemResponse[]> {
    return Object.values((await this.found(members)).list) as ItemResponse[];
  }

  /** Returns the URL paths of the items: `a` for `https://example.com/a`. */
  async names(members?: object): Promise<string[]> {
    return (await this.items(members)).map(nameOf);
  }

  /** Returns the item with all details, or undefined if it is not in the list. */
  async item(itemId: string): Promise<ItemResponse | undefined> {
    const { list } = await this.found({ item: itemId, detailType: 'complete', annotations: 1 });
    return list[itemId] as ItemResponse | undefined;
  }

  /** Saves a page by add. Returns the item id. */
  async saved(url: string, members: object = {}): Promise<string> {
    const { body } = await this.add({ url, ...members }).expect(200);
    return (body.item as AddedItemResponse).item_id;
  }

  /** Calls send, which must return 200. */
  async sent(...actions: readonly unknown[]): Promise<SendResponse> {
    return (await this.send(actions).expect(200)).body as SendResponse;
  }

  /** Calls send and returns only the results. */
  async results(...actions: readonly unknown[]): Promise<SendResponse['action_results']> {
    return (await this.sent(...actions)).action_results;
  }
}

const nameOf = ({ given_url }: ItemResponse): string => new URL(given_url).pathname.slice(1);

/** Returns the item's tags in alphabetical order. */
export const tagsOf = (item: ItemResponse | undefined): string[] =>
  Object.keys(item?.tags ?? {}).sort();

/** Returns the keys of `list` in text order. Parsing would reorder numeric keys. */
export function listKeys(text: string): string[] {
  const list = text.slice(text.indexOf('"list":'));
  return Array.from(list.matchAll(/"(\d{16})":\{/g), ([, id]) => id!);
}

/** Returns the status and the error code. */
export const codeOf = ({ status, body }: Response): string => `${status}/${body.code}`;

/** Fails unless the answer is an error as v3 clients expect it. */
export function expectRefusal(response: Response, status: number, code: number): void {
  const { error } = response.body;
  expect(response.status).toBe(status);
  expect(response.body).toEqual({ status: 0, error: expect.stringMatching(/^\S.*$/), code });
  expect(response.headers).toMatchObject({
    'x-error': error,
    'x-error-code': String(code),
    'x-source': 'Pocket',
    'content-type': 'application/json',
  });
}
