import request, { type Response, type Test } from 'supertest';

import { SentPages } from '../../src/articles/resolver/sent-pages.service.js';
import { ConsumerKeysService } from '../../src/auth/consumers/consumer-keys.service.js';
import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import { ALL_PERMISSIONS, type Permission } from '../../src/auth/consumers/permission.js';
import { Database } from '../../src/platform/database/database.js';
import { keepSentPage, sentPage } from '../../src/reading-list/pages/page-requests.js';
import { AccountApi, type SignedIn } from './account-api.js';
import type { DocumentedCall } from './api-document.js';
import { aVisitor, OAuthApi } from './oauth-api.js';
import type { TestApp } from './test-app.js';

type Members = Readonly<Record<string, unknown>>;

const ADA = { name: 'Ada', email: 'ada@example.com', password: 'a long pass phrase' };

/** The list in the examples of the API document. The third item is deleted later. */
const SAVED: readonly Members[] = [
  {
    ...{ action: 'add', url: 'https://www.rfc-editor.org/rfc/rfc9110', title: 'HTTP Semantics' },
    ...{ tags: 'http,standards', time: 1763700001 },
  },
  {
    ...{ action: 'add', url: 'https://www.iana.org/help/example-domains' },
    ...{ title: 'Example Domains', time: 1763700002 },
  },
  { action: 'add', url: 'https://www.w3.org/TR/webarch/', time: 1763700003 },
  { action: 'favorite', item_id: '8820866062756984' },
  {
    ...{ action: 'add_annotation', item_id: '8820866062756984', time: 1_763_800_000 },
    annotation: {
      annotation_id: '0e1f4c1a-6f3b-4a52-9d0c-5d6f2c1b7a90',
      ...{ quote: 'HTTP is a family of protocols', patch: '', version: 2 },
      note: 'Not only one protocol.',
    },
  },
];
/** The page of the second item. */
const ARTICLE = `<!doctype html><html lang="en"><title>Example Domains</title><article><h1>Example Domains</h1>
<img src="/map.png" width="640" height="360"><p>${'A number of domains are maintained for documentation, and users need not ask before they use them. '.repeat(3).trim()}</p>
</article></html>`;
/** Paths that return extracted articles. */
const ARTICLE_PATHS = new Set(['/v3/text', '/v3beta/text', '/api/kobo/download']);
/** Paths that change nothing. */
const READING_PATHS = new Set([
  ...ARTICLE_PATHS,
  ...['/v3/get', '/v1/get', '/api/kobo/get', '/v3/fetch', '/v3/export'],
  ...['/v3/stats', '/v3/suggested_tags', '/v3/guid'],
]);
const DELETED: Members = { action: 'delete', item_id: '7756775858943697' };

/** The list owner of the API document's examples, Ada. Sends the documented calls in her name. */
export class DocumentedWorld {
  private ada: SignedIn | undefined;
  private since = 0;
  private code = '';
  /** State of Ada's list: `begun` after `begin`, or also with the article. */
  private state: 'changed' | 'begun' | 'with article' = 'changed';

  private constructor(
    private readonly app: TestApp,
    readonly key: string,
  ) {}

  static async with(
    app: TestApp,
    facts: { dialect?: Dialect; permissions?: readonly Permission[] } = {},
  ): Promise<DocumentedWorld> {
    const { dialect = Dialect.Standard, permissions = ALL_PERMISSIONS } = facts;
    const details = { name: 'Reader', permissions: [...permissions], dialect };
    const { key } = await app.app.get(ConsumerKeysService).create(details);
    return new DocumentedWorld(app, key);
  }

  get person(): SignedIn {
    return this.ada!;
  }

  /** Deletes all users. */
  async withoutUsers(): Promise<void> {
    await this.app.database.query('DELETE FROM users');
  }

  /** Creates Ada as the only user. One of her three items is deleted. */
  async begin({ saved = SAVED } = {}): Promise<void> {
    await this.withoutUsers();
    this.ada = await new AccountApi(this.app).signedIn(ADA);
    await this.post('/v3/send', { actions: saved }).expect(200);
    this.since = (await this.post('/v3/get', {}).expect(200)).body.since;
    await this.post('/v3/send', { actions: [DELETED] }).expect(200);
    this.state = 'begun';
  }

  /** Prepares the data for a call. Reuses the list if the previous call changed nothing. */
  async prepareFor({ path, body, status }: DocumentedCall): Promise<void> {
    const wanted = ARTICLE_PATHS.has(path) ? 'with article' : 'begun';
    if (this.state !== wanted) {
      await this.begin();
    }
    if (wanted === 'with article' && this.state !== wanted) {
      await this.readArticle();
    }
    if (path === '/register') {
      await this.withoutUsers();
    }
    if ('code' in body || 'request_token' in body) {
      await this.agree();
    }
    const isKept = READING_PATHS.has(path) || (status >= 400 && path !== '/register');
    this.state = isKept ? wanted : 'changed';
  }

  /** Stores an article for Ada's second item. It becomes the only page in the database. */
  private async readArticle(): Promise<void> {
    await this.app.database.query('TRUNCATE pages RESTART IDENTITY CASCADE');
    const item = { itemId: '5952284834408592', url: 'https://www.iana.org/help/example-domains' };
    const [sent, page] = [await sentPage(ARTICLE), { ...item, userId: this.person.id }];
    await this.app.app.get(Database).transaction((manager) => keepSentPage(manager, page, sent));
    await this.app.app.get(SentPages).keep({ ...page, ...sent });
  }

  /** Ada approves a request code. */
  private async agree(): Promise<void> {
    const reader = new OAuthApi(this.app, this.key);
    const facts = { redirect_uri: '/', state: 'started-by-me' };
    this.code = await reader.agreedCode(await aVisitor(this.app, this.person), facts);
  }

  /** Replaces the placeholders of an example with real values. */
  filledIn(body: Members): Members {
    const real: Members = {
      consumer_key: this.key,
      access_token: this.ada?.accessToken,
      since: this.since,
      ...(body['code'] !== 'none' && { code: this.code }),
      ...(body['request_token'] !== 'none' && { request_token: this.code }),
      ...(body['refresh_token'] !== 'none' && { refresh_token: this.ada?.refreshToken }),
    };
    return Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, name in real ? real[name] : value]),
    );
  }

  /** Sends Ada's credentials, unless the members override them. */
  post(path: string, members: Members): Test {
    const credentials = { consumer_key: this.key, access_token: this.ada?.accessToken };
    return request(this.app.url)
      .post(path)
      .send({ ...credentials, ...members });
  }

  send(path: string, body: Members): Test {
    return request(this.app.url)
      .post(path)
      .set('X-Accept', 'application/json')
      .send(this.filledIn(body));
  }

  sendForm(path: string, body: Members): Test {
    return request(this.app.url)
      .post(path)
      .type('form')
      .send(fieldsOf(this.filledIn(body)));
  }

  sendMultipart(path: string, body: Members): Test {
    return request(this.app.url)
      .post(path)
      .field(fieldsOf(this.filledIn(body)));
  }

  sendQuery(path: string, body: Members): Test {
    return request(this.app.url)
      .get(path)
      .query(fieldsOf(this.filledIn(body)));
  }
}

/** Form fields are strings, so other values become JSON. */
const fieldsOf = (members: Members): Record<string, string> =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );

const VOLATILE =
  /^(code|guid|snapshot_id|access_token|refresh_token|user_id|since|date_resolved|time_(added|created|updated|read|favorited|first_parsed))$/;
/** Matches signed image URLs. */
const SIGNED = /\/images\/\d+\/\d+\//;

/** Replaces values that differ between calls or users. Keeps zeros. */
export const steady = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body ?? null, (name, value: unknown) =>
      (VOLATILE.test(name) && value !== '0') || SIGNED.test(String(value)) ? '…' : value,
    ),
  );

export const bodyOf = ({ type, text }: Response): unknown =>
  type === 'application/json' ? JSON.parse(text) : text;
