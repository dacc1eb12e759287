import { DataSource } from 'typeorm';

import { Invitations } from '../../src/auth/links/invitations.js';
import type { RegistrationMode } from '../../src/platform/config/registration-mode.js';
import { AccountApi, aPerson, type Person } from '../support/account-api.js';
import { formIn, headingOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { until } from '../support/processes.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
const CLOSED = ['invite', 'closed', 'until-first-user'] as const;

let app: TestApp;
let api: AccountApi;

beforeAll(async () => {
  app = await aTestApp();
  api = new AccountApi(app);
});
afterAll(() => app.close());

/** Changes a setting that the service reads on each call. */
const set = (registration: RegistrationMode): unknown =>
  Object.assign(app.config, { registration });
const deleteAll = () => app.database.query('DELETE FROM users');
const register = (person: Person, invitation?: unknown) =>
  api.post('/register', { ...person, invitation });
const rolesOf = async (): Promise<string[]> =>
  (await app.database.query<{ role: string }>('SELECT role FROM users ORDER BY id')).map(
    ({ role }) => role,
  );
const invite = async (email?: string): Promise<string> =>
  (await app.app.get(Invitations).make(email)).path.replace(/^.*=/, '');
const expire = () =>
  app.database.query(`UPDATE one_time_links SET expires_at = now() - interval '1 second'`);

beforeEach(async () => {
  set('open');
  await deleteAll();
});

describe('the first user', () => {
  it.each<RegistrationMode>(['open', 'until-first-user'])(
    'becomes the administrator if registration is %s',
    async (mode) => {
      set(mode);
      await register(aPerson()).expect(201);
      await register(aPerson());

      expect((await rolesOf()).join(' ')).toMatch(/^administrator( user)?$/);
    },
  );

  it.each<RegistrationMode>(['open', 'until-first-user'])(
    'is the only administrator if two users register at once and registration is %s',
    async (mode) => {
      set(mode);
      const areWaiting = async () => (await app.database.query(WAITING)).length === 2;
      let answers: Promise<unknown>[] = [];

      await app.app.get(DataSource).transaction(async (manager) => {
        await manager.query('LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
        answers = [register(aPerson()), register(aPerson())].map((sent) => sent.then());
        await until(areWaiting, 'two registrations');
      });
      await Promise.all(answers);

      const roles = (await rolesOf()).toSorted().join(' ');
      expect(roles).toBe(mode === 'open' ? 'administrator user' : 'administrator');
    },
  );

  it('is announced as the administrator on the registration page, unlike the second user', async () => {
    const first = await new PageVisitor(app).open('/auth/register').expect(200);
    await register(aPerson()).expect(201);
    const second = await new PageVisitor(app).open('/auth/register').expect(200);

    expect(shownText(first)).toContain('It becomes the administrator of this service');
    expect(shownText(second)).not.toContain('administrator');
  });
});

describe('registration in the mode until-first-user', () => {
  beforeEach(() => set('until-first-user'));

  it('accepts only one of several concurrent registrations', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => register(aPerson())));

    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([201, ...Array(5).fill(403)]);
    expect(await rolesOf()).toEqual(['administrator']);
  });

  it('is linked on the pages only until the first user exists', async () => {
    const visitor = new PageVisitor(app);
    expect((await visitor.open('/')).text).toContain('/auth/register');
    expect((await visitor.open('/auth/login')).text).toContain('/auth/register');

    await register(aPerson()).expect(201);

    expect((await visitor.open('/')).text).not.toContain('/auth/register');
    expect((await visitor.open('/auth/login')).text).not.toContain('/auth/register');
  });
});

describe.each(CLOSED)('registration in the mode %s after the first user', (mode) => {
  beforeEach(async () => {
    await register(aPerson()).expect(201);
    set(mode);
  });

  it.each<[string, object]>([
    ['a stranger', aPerson()],
    ['a stranger with a weak password', { ...aPerson(), password: 'x' }],
    ['a body without fields', {}],
    ['an invitation that is empty', { ...aPerson(), invitation: '' }],
    ['an invitation that is no text', { ...aPerson(), invitation: ['x'] }],
  ])('rejects %s with the code registration_closed', async (_, body) => {
    const { body: answer } = await api.post('/register', body).expect(403);

    expect(answer).toMatchObject({ code: 'registration_closed', statusCode: 403 });
    expect(await rolesOf()).toEqual(['administrator']);
  });

  it('returns the same error for known and unknown addresses', async () => {
    const [row] = await app.database.query<{ email: string }>('SELECT email FROM users');

    const known = await register(aPerson({ email: row?.email ?? '' })).expect(403);
    const unknown = await register(aPerson()).expect(403);

    expect(known.body).toEqual(unknown.body);
  });

  it.each(['x', '00000000-0000-0000-0000-000000', "' OR true --", 'x'.repeat(500)])(
    'rejects the invitation %j',
    async (invitation) => {
      const { body } = await register(aPerson(), invitation).expect(403);

      expect(body.code).toBe('invalid_invitation');
    },
  );

  it('accepts an invitation once', async () => {
    const invitation = await invite();

    await register(aPerson({ password: 'x' }), invitation).expect(400);
    await register(aPerson(), invitation).expect(201);
    const { body } = await register(aPerson(), invitation).expect(403);

    expect(body.code).toBe('invalid_invitation');
    expect(await rolesOf()).toEqual(['administrator', 'user']);
  });

  it('shows the registration page only with a valid invitation', async () => {
    const visitor = new PageVisitor(app);
    const closed = await visitor.open('/auth/register').expect(403);
    const invitation = await invite();
    const page = await visitor.open(`/auth/register?invitation=${invitation}`).expect(200);
    const { name, email, password } = aPerson();

    const answer = await visitor.submit(formIn(page, '/auth/register'), { name, email, password });

    expect(headingOf(closed)).toBe('You cannot create an account');
    expect(shownText(closed)).toContain(mode === 'invite' ? 'need an invitation' : 'is closed');
    expect([answer.status, answer.headers['location']]).toEqual([303, '/list']);
    const late = await visitor.submit(formIn(page, '/auth/register'), aPerson() as never);
    expect(late.status).toBe(403);
    const used = await new PageVisitor(app).open(`/auth/register?invitation=${invitation}`);
    expect([used.status, shownText(used)]).toEqual([
      403,
      expect.stringContaining('was already used'),
    ]);
  });

  it('rejects a form that is sent without an invitation', async () => {
    const visitor = new PageVisitor(app);
    const { fields } = await visitor.form('/auth/login', '/auth/login');

    const page = await visitor.post('/auth/register', { ...fields, ...aPerson() }).expect(403);

    expect(headingOf(page)).toBe('You cannot create an account');
    expect(await rolesOf()).toEqual(['administrator']);
  });
});

describe('an invitation', () => {
  beforeEach(async () => {
    await register(aPerson()).expect(201);
    set('closed');
  });

  it('is accepted for only one of several concurrent registrations', async () => {
    const invitation = await invite();

    const answers = await Promise.all(
      Array.from({ length: 6 }, () => register(aPerson(), invitation)),
    );

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(5);
    expect(await rolesOf()).toHaveLength(2);
  });

  it('for an address is accepted only for this address, in any spelling', async () => {
    const invitation = await invite('Grace@EXÄMPLE.com');

    const { body } = await register(aPerson(), invitation).expect(403);
    expect(body.code).toBe('invalid_invitation');
    await register(aPerson({ email: ' grace@xn--exmple-cua.com ' }), invitation).expect(201);
  });

  it('for an address fills in the form, which rejects another address', async () => {
    const invitation = await invite('grace@example.com');
    const visitor = new PageVisitor(app);
    const page = await visitor.open(`/auth/register?invitation=${invitation}`).expect(200);
    const form = formIn(page, '/auth/register');
    const { name, email, password } = aPerson();

    const refused = await visitor.submit(form, { name, email, password });

    expect(form.fields['email']).toBe('grace@example.com');
    expect([refused.status, shownText(refused)]).toEqual([
      400,
      expect.stringContaining('for another email address'),
    ]);
    await visitor.submit(formIn(refused, '/auth/register'), {
      ...{ name, password },
      email: 'grace@example.com',
    });
    expect(await rolesOf()).toHaveLength(2);
  });

  it('remains valid after an attempt to register an existing address', async () => {
    const invitation = await invite();
    const [row] = await app.database.query<{ email: string }>('SELECT email FROM users');

    await register(aPerson({ email: row?.email ?? '' }), invitation).expect(409);

    await register(aPerson(), invitation).expect(201);
  });

  it('expires after a week', async () => {
    const invitation = await invite();
    const [made] = await app.database.query<{ seconds: string }>(
      'SELECT extract(epoch FROM max(expires_at) - now()) AS seconds FROM one_time_links',
    );
    await expire();

    await register(aPerson(), invitation).expect(403);

    expect(Math.abs(Number(made?.seconds) - 7 * 86_400)).toBeLessThan(600);
  });

  it('is optional and works once if registration is open', async () => {
    const invitation = await invite();
    set('open');

    await register(aPerson(), 'x').expect(201);
    await register(aPerson(), invitation).expect(201);

    set('closed');
    const { body } = await register(aPerson(), invitation).expect(403);
    expect(body.code).toBe('invalid_invitation');
  });

  it('that the first user has used is rejected for other users', async () => {
    await deleteAll();
    set('until-first-user');
    const invitation = await invite();

    await register(aPerson(), invitation).expect(201);

    await register(aPerson(), invitation).expect(403);
    expect(await rolesOf()).toEqual(['administrator']);
  });

  it('for an address remains valid if another address registers with it while registration is open', async () => {
    const invitation = await invite('grace@example.com');
    set('open');

    await register(aPerson(), invitation).expect(201);

    set('closed');
    await register(aPerson({ email: 'grace@example.com' }), invitation).expect(201);
  });

  it('does not appear in the log', async () => {
    const invitation = await invite();
    await new PageVisitor(app).open(`/auth/register?invitation=${invitation}`).expect(200);
    await register(aPerson(), invitation).expect(201);

    expect(app.log()).toContain('/auth/register');
    expect(app.log()).not.toContain(invitation);
  });
});
