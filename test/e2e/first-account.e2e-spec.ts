import { AccountApi, aPerson } from '../support/account-api.js';
import { formIn, PageVisitor } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: AccountApi;

beforeAll(async () => {
  app = await aTestApp();
  api = new AccountApi(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  Object.assign(app.config, { registration: 'open', publicUrl: undefined, corsOrigins: undefined });
  await app.database.query('DELETE FROM users');
});

const register = (headers: Record<string, string>) => api.post('/register', aPerson(), headers);
const roles = async (): Promise<string[]> =>
  (await app.database.query<{ role: string }>('SELECT role FROM users ORDER BY id')).map(
    ({ role }) => role,
  );

describe('the first account', () => {
  it.each(['open', 'until-first-user'])(
    'is not created by a script of another website if registration is %s',
    async (registration) => {
      Object.assign(app.config, { registration });
      const { host } = new URL(app.url);
      for (const origin of [
        ...['https://evil.example', 'null', 'http://8.8.8.8', 'http://192.168.1.5:3000'],
        ...['http://localhost.evil.example', `http://${host}.evil.example`],
        ...[`http://evil.example@${host}x`, 'chrome-extension://abc'],
      ]) {
        const { body } = await register({ Origin: origin }).expect(403);
        expect(body).toMatchObject({
          code: 'registration_closed',
          message: expect.stringContaining('on the pages of this service'),
        });
      }

      expect(await roles()).toEqual([]);
    },
  );

  it('is the administrator if a program without an origin creates it', async () => {
    await register({}).expect(201);

    expect(await roles()).toEqual(['administrator']);
  });

  it.each(['http://localhost:5173', 'http://127.0.0.1', 'http://[::1]:8080'])(
    'is the administrator if a page at %s creates it, which is on the machine of the browser',
    async (origin) => {
      await register({ Origin: origin }).expect(201);

      expect(await roles()).toEqual(['administrator']);
    },
  );

  it('is the administrator if a page in CORS_ORIGINS creates it', async () => {
    Object.assign(app.config, { corsOrigins: ['https://reader.example'] });

    await register({ Origin: 'https://other.example' }).expect(403);
    await register({ Origin: 'https://reader.example' }).expect(201);

    expect(await roles()).toEqual(['administrator']);
  });

  it('is the administrator if a page of the service creates it', async () => {
    await register({ Origin: app.url }).expect(201);

    expect(await roles()).toEqual(['administrator']);
  });

  it('is the administrator if a page at PUBLIC_URL creates it, and a proxy replaces the host', async () => {
    Object.assign(app.config, { publicUrl: new URL('https://satchel.example.org/satchel') });

    await register({ Origin: 'https://satchel.example.org.evil.example' }).expect(403);
    await register({ Origin: 'https://satchel.example.org' }).expect(201);

    expect(await roles()).toEqual(['administrator']);
  });

  it('is the administrator if it is created by the form, whose origin browsers hide', async () => {
    const visitor = new PageVisitor(app);
    const form = formIn(await visitor.open('/auth/register').expect(200), '/auth/register');
    const { name, email, password } = aPerson();

    await visitor.submit(form, { name, email, password }).set('Origin', 'null').expect(303);

    expect(await roles()).toEqual(['administrator']);
  });
});

it('lets scripts of other websites create later accounts, without a role', async () => {
  await register({}).expect(201);

  await register({ Origin: 'https://reader.example' }).expect(201);

  expect(await roles()).toEqual(['administrator', 'user']);
});
