import {
  Agent,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  request as httpRequest,
} from 'node:http';

import request, { type Response, type Test } from 'supertest';

import type { TokenPairResponse } from '../../src/auth/http/account.dto.js';
import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import type { TestApp } from './test-app.js';

export const PASSWORD = 'a long pass phrase';

let people = 0;

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** A logged-in user with credentials. */
export interface SignedIn extends Person {
  readonly id: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** `name=value`, ready for a Cookie header. */
  readonly cookie: string;
}

export function aPerson(facts: Partial<Person> = {}): Person {
  people += 1;
  return { name: 'Ada', email: `ada${people}@example.com`, password: PASSWORD, ...facts };
}

/** The account endpoints as a client calls them. */
export class AccountApi {
  private readonly agent: Agent | undefined;

  /** @param from the client's source address; on Linux, any address in 127.0.0.0/8. */
  constructor(
    private readonly app: TestApp,
    from?: string,
  ) {
    this.agent = from === undefined ? undefined : new Agent({ localAddress: from });
  }

  post(path: string, body?: object, headers: Record<string, string> = {}): Test {
    const sent = request(this.app.url).post(path).set(headers);
    if (this.agent !== undefined) {
      sent.agent(this.agent);
    }
    return body === undefined ? sent : sent.send(body);
  }

  /** Registers a user. Fails the test if the registration fails. */
  async registered(facts: Partial<Person> = {}): Promise<Person & { id: string }> {
    const person = aPerson(facts);
    const { body } = await this.post('/register', person).expect(201);
    return { ...person, id: body.user_id };
  }

  /** Registers a user and marks the email address as verified by an administrator. */
  async verified(facts: Partial<Person> = {}): Promise<Person & { id: string }> {
    const person = await this.registered(facts);
    await this.app.app.get(UserAdministrationService).verifyEmail(person.email);
    return person;
  }

  /** Registers a user and logs in. */
  async signedIn(facts: Partial<Person> = {}): Promise<SignedIn> {
    return this.loggedIn(await this.registered(facts));
  }

  /** Logs in. Fails the test if the login fails. */
  async loggedIn<T extends Pick<Person, 'email' | 'password'>>(
    person: T,
  ): Promise<T & Pick<SignedIn, 'accessToken' | 'refreshToken' | 'cookie'>> {
    const response = await this.login(person).expect(200);
    const { access_token: accessToken, refresh_token: refreshToken } = pairOf(response);
    return { ...person, accessToken, refreshToken, cookie: cookieOf(response) };
  }

  login({ email, password }: Pick<Person, 'email' | 'password'>): Test {
    return this.post('/login', { email, password });
  }

  loginWith(headers: Record<string, string>): Test {
    return this.post('/login', undefined, headers);
  }

  refresh(token: unknown): Test {
    return this.post('/refresh', { refresh_token: token });
  }

  logout(headers: Record<string, string>): Test {
    return this.post('/logout', undefined, headers);
  }
}

/** Returns the tokens of a login or refresh response. */
export const pairOf = (response: Response): TokenPairResponse => response.body;

export const cookieOf = (response: Response): string => setCookieOf(response).split(';')[0] ?? '';

/** Returns all Set-Cookie headers, one per line, or an empty string. */
export const setCookieOf = (response: Response): string =>
  (response.headers['set-cookie'] as unknown as string[] | undefined)?.join('\n') ?? '';

export const bearer = (token: string): Record<string, string> => ({
  Authorization: `Bearer ${token}`,
});

export interface RawRequest {
  readonly method?: string;
  /** The request target, sent unencoded. */
  readonly path: string;
  /** An array alternates names and values, so it can repeat a header. */
  readonly headers?: OutgoingHttpHeaders | string[];
  readonly body?: string | Buffer;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a raw request, for input that client libraries would not send. */
export function sendRaw(
  app: TestApp,
  { method = 'POST', path, headers = {}, body }: RawRequest,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(app.url);
    const length = String(Buffer.byteLength(body ?? ''));
    const named = Array.isArray(headers)
      ? ['Host', host, 'Content-Length', length, ...headers]
      : headers;
    const sent = httpRequest({ hostname, port, method, path, headers: named }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
