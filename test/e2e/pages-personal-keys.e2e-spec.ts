import pg from 'pg';
import request, { type Response } from 'supertest';

import { ConsumerKeysService } from '../../src/auth/consumers/consumer-keys.service.js';
import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import { parseDocument } from '../../src/lib/extraction/dom.js';
import { aVisitor, OAuthApi, REDIRECT_URI } from '../support/oauth-api.js';
import { formIn, shownText } from '../support/page-visitor.js';
import {
  ALL_CHOSEN,
  KEYS_PATH,
  pairIn,
  PersonalKeysApi,
  type Visitor,
} from '../support/personal-keys-api.js';
import { until } from '../support/processes.js';
import { expectRefusal } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const WAITING =
  'SELECT 1 FROM pg_locks WHERE NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())';

let app: TestApp;
let keys: PersonalKeysApi;
let ada: Visitor;

beforeAll(async () => {
  app = await aTestApp();
  keys = new PersonalKeysApi(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await aVisitor(app);
});

const revokeFormsOf = async (visitor: Visitor): Promise<number> => {
  const { body } = parseDocument((await visitor.open(KEYS_PATH).expect(200)).text);
  return [...body.querySelectorAll(`form[action="${KEYS_PATH}/revoke"]`)].length;
};

const signOut = async (
  visitor: Visitor,
  fields: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  visitor.submit(await visitor.form('/account/security', '/account/sign-out'), fields);

describe('a personal key', () => {
  it('is shown once with example calls, and is not in later pages, database rows or logs', async () => {
    const answer = await keys.send(ada, { name: 'Backup <b>script</b>', ...ALL_CHOSEN });

    const pair = pairIn(answer);
    const shown = shownText(answer);
    expect(pair).toEqual({
      consumer_key: expect.stringMatching(/^\d+-[0-9a-f]{24}$/),
      access_token: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{6}$/),
    });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(shown).toContain('Backup <b>script</b>');
    expect(shown).toContain(
      `WHO='consumer_key=${pair.consumer_key}&access_token=${pair.access_token}'`,
    );
    expect(shown).toContain(`curl ${app.url}/v3/get -d "$WHO"`);
    await keys.get(pair).expect(200);
    const later = await Promise.all([ada.open(KEYS_PATH), ada.open('/account')]);
    const rows = await app.database.query(
      'SELECT k::text AS key, g::text AS grant FROM consumer_keys k JOIN grants g ON g.consumer_key_id = k.id',
    );
    const everywhere = [...later.map(({ text }) => text), JSON.stringify(rows), app.log()].join();
    expect(everywhere).not.toContain(pair.consumer_key.split('-')[1]);
    expect(everywhere).not.toContain(pair.access_token);
  });

  it('is listed with its permissions and last use, and not as an application', async () => {
    const pair = await keys.make(ada, { name: 'Reader', retrieve: '1', add: '1' });
    const before = shownText(await ada.open(KEYS_PATH));

    await keys.get(pair).expect(200);

    expect(before).toMatch(/Reader\s+Can see your list and save pages\..*Last used:? ?Never/);
    const after = shownText(await ada.open(KEYS_PATH));
    expect(after).toMatch(/Last used:? ?\d+ \w+ \d{4}/);
    expect(shownText(await ada.open('/account/devices'))).toContain('No application has access');
    expect(shownText(await (await aVisitor(app)).open(KEYS_PATH))).toContain(
      'You have no keys yet.',
    );
  });

  it.each([
    ['retrieve', ['/v3/get']],
    ['add', ['/v3/add']],
    ['modify', ['/v3/send']],
  ])('is rejected by other endpoints with only the permission %s', async (permission, allowed) => {
    const answer = await keys.send(ada, { name: 'One', [permission]: '1' });
    const pair = pairIn(answer);
    const members = { url: 'https://example.com/', actions: [] };

    for (const path of ['/v3/get', '/v3/add', '/v3/send']) {
      const { status, headers } = await keys.call(path, pair, members);
      const isAllowed = allowed.includes(path);
      expect([path, status, headers['x-error-code']]).toEqual(
        isAllowed ? [path, 200, undefined] : [path, 403, '151'],
      );
      expect(answer.text.includes(`${app.url}${path}`)).toBe(isAllowed);
    }
  });

  it('acts only for its owner, regardless of the access token', async () => {
    const bob = await aVisitor(app);
    const reader = await OAuthApi.of(app);
    const [hers, his] = [await keys.make(ada), await keys.make(bob)];
    const given = await reader.accessToken(bob);

    const foreign = { consumer_key: hers.consumer_key };
    expectRefusal(await keys.get({ ...foreign, access_token: his.access_token }), 401, 137);
    expectRefusal(await keys.get({ ...foreign, access_token: given }), 401, 137);
    expectRefusal(await keys.get({ ...foreign, access_token: bob.user.accessToken }), 401, 107);
    expectRefusal(await keys.get(foreign), 401, 107);
    await keys.get({ ...foreign, access_token: ada.user.accessToken }).expect(200);
    expectRefusal(await reader.get(hers.access_token), 401, 137);
  });

  it('is rejected by the OAuth endpoints and by /v3/guid', async () => {
    const pair = await keys.make(ada);

    const members = { redirect_uri: REDIRECT_URI, code: 'none', request_token: 'none' };
    for (const name of ['request', 'authorize', 'request_meta']) {
      expectRefusal(await keys.call(`/v3/oauth/${name}`, pair, members), 403, 152);
    }
    expectRefusal(await keys.call('/v3/guid', pair), 401, 136);
  });

  it('has an access token that is not accepted as a bearer token', async () => {
    const { access_token: token } = await keys.make(ada);

    await request(app.url).post('/login').set('Authorization', `Bearer ${token}`).expect(401);
    await request(app.url).get('/v3/get').set('Authorization', `Bearer ${token}`).expect(400);
  });
});

describe('an existing personal key', () => {
  it('can be revoked only by its owner', async () => {
    const [first, second] = [
      await keys.make(ada, { name: 'A', ...ALL_CHOSEN }),
      await keys.make(ada, { name: 'B', ...ALL_CHOSEN }),
    ];
    const form = await ada.form(KEYS_PATH, `${KEYS_PATH}/revoke`);
    const bob = await aVisitor(app);
    await keys.make(bob);
    const others = formIn(await bob.open(KEYS_PATH), `${KEYS_PATH}/revoke`);
    await bob.submit(others, { key: form.fields['key']! }).expect(303);
    await keys.get(first).expect(200);

    const answer = await ada.submit(form).expect(303);

    expect(answer.headers['location']).toBe(`${KEYS_PATH}?done=key-revoked`);
    expect(shownText(await ada.open(`${KEYS_PATH}?done=key-revoked`))).toContain('Key revoked.');
    expectRefusal(await keys.get(first), 401, 136);
    await keys.get(second).expect(200);
    expect([await revokeFormsOf(ada), await revokeFormsOf(bob)]).toEqual([1, 1]);
    await ada.submit(form).expect(303);
    for (const key of ['', '0', '-1', '9'.repeat(30), "1' OR '1'='1"]) {
      await ada.submit(form, { key }).expect(303);
    }
    await keys.get(second).expect(200);
  });

  it('is revoked by a logout everywhere with all access, not by a plain logout or a new password', async () => {
    const pair = await keys.make(ada);
    const password = 'another pass phrase';
    const change = await ada.form('/account/security', '/account/password');
    await ada.submit(change, { current: ada.user.password, password }).expect(303);
    await keys.get(pair).expect(200);
    const account = await ada.open('/account/security');
    await signOut(ada);
    await keys.get(pair).expect(200);
    await ada.logIn({ ...ada.user, password });

    await signOut(ada, { revoke: '1' });

    expect(shownText(account)).toMatch(/Applications, personal keys and feed readers keep/);
    expectRefusal(await keys.get(pair), 401, 136);
    expect(await keys.rowsOf(ada)).toEqual([]);
  });

  it('cannot be created while a logout everywhere revokes all access', async () => {
    const form = await ada.form(KEYS_PATH, KEYS_PATH);
    const ending = new pg.Client({ connectionString: app.database.url });
    await ending.connect();
    await ending.query('BEGIN');
    await ending.query('UPDATE users SET session_epoch = session_epoch + 1 WHERE id = $1', [
      ada.user.id,
    ]);

    const late = ada.submit(form, { name: 'Late', ...ALL_CHOSEN }).then((answer) => answer);
    await until(async () => (await app.database.query(WAITING)).length > 0);
    await ending.query('COMMIT');
    await ending.end();

    expect((await late).status).toBe(403);
    expect(shownText(await late)).toContain('Your session has ended.');
    expect(await keys.rowsOf(ada)).toEqual([]);
  });

  it('is rejected while the account is disabled, and is deleted with the account', async () => {
    const pair = await keys.make(ada);
    const users = app.app.get(UserAdministrationService);

    await users.disable(ada.user.email);
    expectRefusal(await keys.get(pair), 401, 107);
    await users.enable(ada.user.email);
    await keys.get(pair).expect(200);
    await users.delete(ada.user.email);

    expectRefusal(await keys.get(pair), 401, 136);
    expect(await keys.rowsOf(ada)).toEqual([]);
  });

  it('can be disabled by an administrator, and is listed apart from applications', async () => {
    const pair = await keys.make(ada, { name: 'Script', retrieve: '1' });
    const administrator = app.app.get(ConsumerKeysService);
    const [id = ''] = pair.consumer_key.split('-');

    expect((await administrator.list()).map((key) => key.id)).not.toContain(id);
    expect(await administrator.listPersonal()).toContainEqual(
      expect.objectContaining({ id, owner: expect.objectContaining({ email: ada.user.email }) }),
    );
    await administrator.disable(id);
    expectRefusal(await keys.get(pair), 401, 136);
    expect(shownText(await ada.open(KEYS_PATH))).toContain('Disabled by the administrator');
    await administrator.enable(id);
    await keys.get(pair).expect(200);
  });
});
