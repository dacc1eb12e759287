import request, { type Response, type Test } from 'supertest';

import type { TestApp } from './test-app.js';

export const PASSWORD = 'a long pass phrase';

let people = 0;

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export function aPerson(facts: Partial<Person> = {}): Person {
  people += 1;
  return { name: 'Ada', email: `ada${people}@example.com`, password: PASSWORD, ...facts };
}

/** The account endpoints as a client calls them. */
export class AccountApi {
  constructor(private readonly app: TestApp) {}

  post(path: string, body?: object, headers: Record<string, string> = {}): Test {
    const sent = request(this.app.url).post(path).set(headers);
    return body === undefined ? sent : sent.send(body);
  }

  /** Registers somebody, and fails the test if that fails. */
  async registered(facts: Partial<Person> = {}): Promise<Person & { id: string }> {
    const person = aPerson(facts);
    const { body } = await this.post('/register', person).expect(201);
    return { ...person, id: body.user_id };
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
}

export const cookieOf = (response: Response): string =>
  (response.headers['set-cookie'] as unknown as string[] | undefined)?.[0]?.split(';')[0] ?? '';

export const bearer = (token: string): Record<string, string> => ({
  Authorization: `Bearer ${token}`,
});
