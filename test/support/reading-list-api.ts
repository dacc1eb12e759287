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
  /** A user who uses another application already. */
  readonly user?: SignedIn;
  /** The consumer key of an application that is there already. */
  readonly key?: string;
}

/** A `since` before everything that a test does, and not so long ago that deletions are forgotten. */
export const AN_HOUR_AGO = Math.floor(Date.now() / 1000) - 3600;

/** The reading-list endpoints as one application calls them for one person. */
export class ReadingListApi {
  private constructor(
    private readonly app: TestApp,
    readonly user: SignedIn,
    readonly consumerKey: string,
  ) {}

  /** A user with an empty list, and an application with a key of its own. */
  static async of(app: TestApp, application: Application = {}): Promise<ReadingListApi> {
    const { dialect = Dialect.Standard, permissions = ALL_PERMISSIONS } = application;
    const { pageSize, user } = application;
    const details = { name: 'Reader', permissions: [...permissions], dialect, ...pageSize };
    const key = application.key ?? (await app.app.get(ConsumerKeysService).create(details)).key;
    return new ReadingListApi(app, user ?? (await new AccountApi(app).signedIn()), key);
  }

  /** The same application and person at another instance. */
  at(instance: TestApp): ReadingListApi {
    return new ReadingListApi(instance, this.user, this.consumerKey);
  }

  get credentials(): { readonly consumer_key: string; readonly access_token: string } {
    return { consumer_key: this.consumerKey, access_token: this.user.accessToken };
  }

  /** Sends JSON with the credentials; a member that is undefined is not sent. */
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

  /** The answer of get, which the test expects to succeed. */
  async found(members?: object): Promise<GetResponse> {
    return (await this.get(members).expect(200)).body as GetResponse;
  }

  /** The items of an answer in the order of the wire. */
  async items(members?: object): Promise<ItemResponse[]> {
    return Object.values((await this.found(members)).list) as ItemResponse[];
  }

  /** What the URLs of an answer are called after their host: `https://example.com/a` is `a`. */
  async names(members?: object): Promise<string[]> {
    return (await this.items(members)).map(nameOf);
  }

  /** The item with all that an answer can say of it; undefined when it is not in the list. */
  async item(itemId: string): Promise<ItemResponse | undefined> {
    const { list } = await this.found({ item: itemId, detailType: 'complete', annotations: 1 });
    return list[itemId] as ItemResponse | undefined;
  }

  /** Saves a page through add, and gives the id of the item. */
  async saved(url: string, members: object = {}): Promise<string> {
    const { body } = await this.add({ url, ...members }).expect(200);
    return (body.item as AddedItemResponse).item_id;
  }

  /** The answer of send, which the test expects to be a 200. */
  async sent(...actions: readonly unknown[]): Promise<SendResponse> {
    return (await this.send(actions).expect(200)).body as SendResponse;
  }

  /** The results alone. */
  async results(...actions: readonly unknown[]): Promise<SendResponse['action_results']> {
    return (await this.sent(...actions)).action_results;
  }
}

const nameOf = ({ given_url }: ItemResponse): string => new URL(given_url).pathname.slice(1);

/** The names of the tags of an item, in the order of the alphabet. */
export const tagsOf = (item: ItemResponse | undefined): string[] =>
  Object.keys(item?.tags ?? {}).sort();

/** The keys of `list` as they stand in the text: parsed objects would hide an order that only text has. */
export function listKeys(text: string): string[] {
  const list = text.slice(text.indexOf('"list":'));
  return Array.from(list.matchAll(/"(\d{16})":\{/g), ([, id]) => id!);
}

/** The status and the code of a refusal. */
export const codeOf = ({ status, body }: Response): string => `${status}/${body.code}`;

/** Fails unless the answer is a refusal as v3 clients read it. */
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
