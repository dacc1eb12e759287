import {
  AccountApi,
  aPerson,
  type RawResponse,
  sendRaw,
  type SignedIn,
} from '../support/account-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

/** JSON values in place of a string. */
const NOT_A_STRING = [
  'null',
  'true',
  'false',
  '0',
  '-1',
  '1.5',
  '1e400',
  '12345678901234567890',
  '[]',
  '["x"]',
  '[[["x"]]]',
  '{}',
  '{"$gt":""}',
  '{"$ne":null}',
  '{"length":12}',
  '{"toString":"x"}',
  '{"toString":{},"valueOf":{}}',
  '{"toJSON":1}',
  '{"then":1}',
  '{"constructor":"x"}',
  '{"constructor":{"name":"String"}}',
  '{"prototype":{}}',
  '{"__proto__":null}',
  '{"__proto__":{"length":12}}',
  '{"hasOwnProperty":1}',
  '{"@instanceof":"FindOperator"}',
  '{"_type":"raw","_value":"1=1"}',
  '[{"constructor":1}]',
];

/** Members that no call has. */
const FOREIGN_MEMBERS = [
  '"__proto__":{"email":"eve@example.com","polluted":1}',
  '"__proto__":null',
  '"constructor":{"prototype":{"polluted":1}}',
  '"constructor":"x"',
  '"prototype":{"polluted":1}',
  '"toString":1',
  '"valueOf":"x"',
  '"hasOwnProperty":1',
  '"toJSON":1',
  '"then":1',
  '"extra":{"constructor":"x"}',
  '"extra":{"__proto__":{"polluted":1}}',
  '"extra":[{"constructor":{"prototype":{"polluted":1}}}]',
  '"extra":{"toString":1,"length":-1}',
  '"":""',
  '"0":0',
];

describe('a body with parameters of the wrong type', () => {
  let app: TestApp;
  let api: AccountApi;
  let user: SignedIn;

  const send = (path: string, body: string): Promise<RawResponse> =>
    sendRaw(app, { path, headers: { 'Content-Type': 'application/json' }, body });

  const registration = (): string => JSON.stringify(aPerson()).slice(1, -1);
  const credentials = (): string => `"email":"${user.email}","password":"${user.password}"`;

  beforeAll(async () => {
    app = await aTestApp();
    api = new AccountApi(app);
    user = await api.signedIn();
  });
  afterEach(() => {
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
  afterAll(() => app.close());

  describe.each([
    ['/register', 'name'],
    ['/register', 'email'],
    ['/register', 'password'],
    ['/login', 'email'],
    ['/login', 'password'],
    ['/refresh', 'refresh_token'],
  ])('POST %s with an invalid %s', (path, member) => {
    it.each(NOT_A_STRING)('returns 400 for %s', async (value) => {
      const others = path === '/register' ? registration() : credentials();

      const response = await send(path, `{${others},"${member}":${value}}`);

      expect(response.status).toBe(400);
      const body = JSON.parse(response.text);
      expect(body.code).toBe('validation_failed');
      const faults = body.message as string[];
      expect(faults.filter((fault) => !fault.startsWith(`${member} `))).toEqual([]);
    });
  });

  it.each(FOREIGN_MEMBERS)('POST /register ignores the unknown parameter %s', async (member) => {
    const response = await send('/register', `{${registration()},${member}}`);

    expect(response.status).toBe(201);
  });

  it.each(FOREIGN_MEMBERS)('POST /login ignores the unknown parameter %s', async (member) => {
    const response = await send('/login', `{${credentials()},${member}}`);

    expect(response.status).toBe(200);
  });

  it.each(FOREIGN_MEMBERS)('POST /refresh ignores the unknown parameter %s', async (member) => {
    const { refreshToken } = await api.loggedIn(user);

    const response = await send('/refresh', `{"refresh_token":"${refreshToken}",${member}}`);

    expect(response.status).toBe(200);
  });

  it.each([
    ['/register', ['name', 'email', 'password']],
    ['/refresh', ['refresh_token']],
  ])('POST %s reads no parameter from __proto__', async (path, members) => {
    const inherited = `{${registration()},"refresh_token":"${user.refreshToken}"}`;

    const response = await send(path, `{"__proto__":${inherited}}`);

    expect(response.status).toBe(400);
    const named = (JSON.parse(response.text).message as string[]).map((f) => f.split(' ')[0]);
    expect(new Set(named)).toEqual(new Set(members));
  });

  it('POST /login reads no credentials from __proto__', async () => {
    const response = await send('/login', `{"__proto__":{${credentials()}}}`);

    expect(response.status).toBe(401);
  });

  it('POST /login uses the last of two parameters with the same name', async () => {
    const response = await send('/login', `{${credentials()},"password":"a wrong pass phrase"}`);

    expect(response.status).toBe(401);
  });
});
