import request, { type Response, type Test } from 'supertest';

import { ConsumerKeysService } from '../../src/auth/consumers/consumer-keys.service.js';
import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import { ALL_PERMISSIONS, type Permission } from '../../src/auth/consumers/permission.js';
import { AccountApi, type SignedIn } from './account-api.js';
import { PageVisitor } from './page-visitor.js';
import type { TestApp } from './test-app.js';

export const REDIRECT_URI = 'pocketapp1234:authorizationFinished';

interface ApplicationFacts {
  readonly name?: string;
  readonly permissions?: readonly Permission[];
}

/** An application that requests an access token. */
export class OAuthApi {
  constructor(
    private readonly app: TestApp,
    readonly key: string,
  ) {}

  static async of(
    app: TestApp,
    { name = 'Reader', permissions = ALL_PERMISSIONS }: ApplicationFacts = {},
  ): Promise<OAuthApi> {
    const details = { name, permissions: [...permissions], dialect: Dialect.Standard };
    const { key } = await app.app.get(ConsumerKeysService).create(details);
    return new OAuthApi(app, key);
  }

  /** Disables the consumer key, as an administrator does. */
  disable(): Promise<void> {
    return this.app.app.get(ConsumerKeysService).disable(this.key);
  }

  enable(): Promise<void> {
    return this.app.app.get(ConsumerKeysService).enable(this.key);
  }

  delete(): Promise<void> {
    return this.app.app.get(ConsumerKeysService).delete(this.key);
  }

  /** Step 1: requests a code. The body and the answer are forms. */
  request(members: object = { redirect_uri: REDIRECT_URI }): Test {
    return request(this.app.url)
      .post('/v3/oauth/request')
      .type('form')
      .send({ consumer_key: this.key, ...members });
  }

  /** Step 3: exchanges the code for a token. */
  authorize(members: object): Test {
    return request(this.app.url)
      .post('/v3/oauth/authorize')
      .type('form')
      .send({ consumer_key: this.key, ...members });
  }

  async code(members?: object): Promise<string> {
    return formOf(await this.request(members).expect(200))['code'] ?? '';
  }

  /** Returns a code that a user has approved. */
  async agreedCode(visitor: PageVisitor, members?: object): Promise<string> {
    const code = await this.code(members);
    await visitor.answer(code, 'authorized');
    return code;
  }

  async accessToken(visitor: PageVisitor): Promise<string> {
    const code = await this.agreedCode(visitor);
    return formOf(await this.authorize({ code }).expect(200))['access_token'] ?? '';
  }

  get(accessToken: string, members: object = {}): Test {
    return request(this.app.url)
      .post('/v3/get')
      .send({ consumer_key: this.key, access_token: accessToken, ...members });
  }
}

/** Returns a browser of a logged-in user. */
export async function aVisitor(
  app: TestApp,
  user?: SignedIn,
): Promise<PageVisitor & { user: SignedIn }> {
  const known = user ?? (await new AccountApi(app).signedIn());
  const visitor = new PageVisitor(app);
  await visitor.logIn(known);
  return Object.assign(visitor, { user: known });
}

/** Parses a form answer. */
export const formOf = ({ text }: Response): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text));

/** Lets all keys expire that have an expiry date. */
export const expireKeys = ({ database }: TestApp): Promise<unknown> =>
  database.query('UPDATE consumer_keys SET expires_at = now() WHERE expires_at IS NOT NULL');

/** Expires all open authorization requests. */
export const expireRequests = ({ database }: TestApp): Promise<unknown> =>
  database.query(`UPDATE authorization_requests SET expires_at = now()`);
