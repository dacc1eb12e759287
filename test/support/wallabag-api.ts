import request, { type Response, type Test } from 'supertest';

import { ClientsService, type IssuedClient } from '../../src/auth/consumers/clients.service.js';
import { ALL_PERMISSIONS, type Permission } from '../../src/auth/consumers/permission.js';
import { AccountApi, type Person } from './account-api.js';
import type { TestApp } from './test-app.js';

type Fields = Readonly<Record<string, unknown>>;

export const TOKEN_PATH = '/wallabag/oauth/v2/token';

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** A wallabag client that calls this service. */
export class WallabagApi {
  constructor(
    private readonly app: TestApp,
    readonly client: IssuedClient,
  ) {}

  /** Creates a client that all users share. */
  static async of(
    app: TestApp,
    { name = 'KOReader', permissions = ALL_PERMISSIONS }: Partial<Shared> = {},
  ): Promise<WallabagApi> {
    const details = { name, permissions: [...permissions] };
    return new WallabagApi(app, await app.app.get(ClientsService).createShared(details));
  }

  get credentials(): { readonly client_id: string; readonly client_secret: string } {
    return { client_id: this.client.clientId, client_secret: this.client.clientSecret };
  }

  token(fields: Fields): Test {
    return request(this.app.url)
      .post(TOKEN_PATH)
      .send({ ...this.credentials, ...fields });
  }

  logIn({ email, password }: Pick<Person, 'email' | 'password'>): Test {
    return this.token({ grant_type: 'password', username: email, password });
  }

  refresh(token: string): Test {
    return this.token({ grant_type: 'refresh_token', refresh_token: token });
  }

  /** Logs in. Fails the test if the login fails. */
  async tokens(person: Pick<Person, 'email' | 'password'>): Promise<Tokens> {
    return tokensIn(await this.logIn(person).expect(200));
  }

  user(accessToken: string): Test {
    return request(this.app.url)
      .get('/wallabag/api/user.json')
      .set('Authorization', `Bearer ${accessToken}`);
  }
}

interface Shared {
  readonly name: string;
  readonly permissions: readonly Permission[];
}

export const tokensIn = ({ body }: Response): Tokens => body as Tokens;

/** Creates a user with a client and tokens. */
export async function aWallabagUser(app: TestApp, client?: WallabagApi) {
  const api = client ?? (await WallabagApi.of(app));
  const user = await new AccountApi(app).registered();
  return { api, user, ...(await api.tokens(user)) };
}
