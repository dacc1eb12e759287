import type { Response } from 'supertest';

import { ConsumerKeysService } from '../../src/auth/consumers/consumer-keys.service.js';
import { parseDocument } from '../../src/lib/extraction/dom.js';
import { AccountApi } from '../support/account-api.js';
import { aVisitor } from '../support/oauth-api.js';
import { locationOf, shownText } from '../support/page-visitor.js';
import {
  ALL_CHOSEN,
  KEYS_PATH,
  PersonalKeysApi,
  type Visitor,
} from '../support/personal-keys-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagApi } from '../support/wallabag-api.js';

const PATH = `${KEYS_PATH}/clients`;

let app: TestApp;
let ada: Visitor;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await aVisitor(app);
});

const make = async (
  visitor: Visitor,
  fields: Readonly<Record<string, string>> = { name: 'KOReader', ...ALL_CHOSEN },
): Promise<Response> => visitor.submit(await visitor.form(PATH, PATH), fields);

/** Returns the client that an answer shows. */
function clientIn({ text }: Response): WallabagApi {
  const shown = [...parseDocument(text).body.querySelectorAll('li pre')];
  const [, clientId = '', clientSecret = ''] = shown.map(({ textContent }) => textContent ?? '');
  return new WallabagApi(app, { clientId, clientSecret, stored: undefined as never });
}

const rowsOf = ({ user }: Visitor): Promise<unknown[]> =>
  app.database.query('SELECT id FROM consumer_keys WHERE owner_id = $1', [user.id]);

describe('a wallabag client of one user', () => {
  it('is shown once with all values that an app needs, and works', async () => {
    const answer = await make(ada, { name: 'Kobo <b>', ...ALL_CHOSEN });

    const api = clientIn(answer);
    const shown = shownText(answer);
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(shown).toContain('Kobo <b>');
    expect(shown).toContain(`${app.url}/wallabag`);
    expect(shown).toContain(ada.user.email);
    expect(answer.text).toContain(
      `href="wallabag://${encodeURIComponent(ada.user.email)}@${app.url}/wallabag"`,
    );
    await api.user((await api.tokens(ada.user)).access_token).expect(200);
    const later = await Promise.all([KEYS_PATH, PATH, '/account'].map((path) => ada.open(path)));
    const rows = await app.database.query('SELECT * FROM consumer_keys');
    const everywhere = [...later.map(({ text }) => text), JSON.stringify(rows), app.log()].join();
    expect(everywhere).not.toContain(api.client.clientSecret);
    expect(everywhere).not.toContain(api.client.clientId);
  });

  it('is listed with the personal keys before its first login, and can be revoked there', async () => {
    const api = clientIn(await make(ada));
    const before = shownText(await ada.open(KEYS_PATH));
    const tokens = await api.tokens(ada.user);
    await api.user(tokens.access_token).expect(200);
    const after = shownText(await ada.open(KEYS_PATH));

    await ada.submit(await ada.form(KEYS_PATH, `${KEYS_PATH}/revoke`)).expect(303);

    expect(before).toMatch(/KOReader.*Last used ?Never/);
    expect(after).not.toMatch(/Last used ?Never/);
    await api.user(tokens.access_token).expect(401);
    await api.refresh(tokens.refresh_token).expect(400);
    await api.logIn(ada.user).expect(400);
    expect(await rowsOf(ada)).toEqual([]);
  });

  it('is listed next to keys of other kinds, and each key is revoked separately', async () => {
    const api = clientIn(await make(ada));
    const passwords = `${KEYS_PATH}/passwords`;
    await new PersonalKeysApi(app).make(ada, { name: 'Script', add: '1' });
    const form = await ada.form(passwords, passwords);
    await ada.submit(form, { name: 'Kobo', retrieve: '1' }).expect(200);
    const { access_token: token } = await api.tokens(ada.user);

    const { text } = await ada.open(KEYS_PATH).expect(200);

    const cards = [...parseDocument(text).body.querySelectorAll('.cards > li')].map((card) =>
      (card.textContent ?? '').replaceAll(/\s+/g, ' ').trim(),
    );
    expect(cards).toEqual([
      expect.stringMatching(/^Kobo Can see your list\. Kind application password Number \d+/),
      expect.stringMatching(/^KOReader Can see .* Kind wallabag client Number \d+/),
      expect.stringMatching(/^Script Can save pages\. Kind personal key Number \d+/),
    ]);
    const revoke = await ada.form(KEYS_PATH, `${KEYS_PATH}/revoke`);
    await ada.submit(revoke).expect(303);
    await api.user(token).expect(200);
    const [, id = ''] = /Number (\d+)/.exec(cards[1] ?? '') ?? [];
    await ada.submit(revoke, { key: id }).expect(303);
    await api.user(token).expect(401);
    expect(shownText(await ada.open(KEYS_PATH))).toMatch(/Your keys Script Can save pages/);
  });

  it('keeps its tokens when the password changes, and loses them when it is revoked', async () => {
    const api = clientIn(await make(ada));
    const [first, second] = [await api.tokens(ada.user), await api.tokens(ada.user)];
    const password = 'another pass phrase';
    const change = await ada.form('/account/security', '/account/password');
    await ada.submit(change, { current: ada.user.password, password }).expect(303);
    await api.user(first.access_token).expect(200);
    const third = (await api.refresh(second.refresh_token).expect(200)).body as typeof second;
    await api.logIn(ada.user).expect(400);

    await ada.submit(await ada.form(KEYS_PATH, `${KEYS_PATH}/revoke`)).expect(303);

    for (const { access_token: access, refresh_token: refresh } of [first, second, third]) {
      await api.user(access).expect(401);
      await api.refresh(refresh).expect(400);
    }
    const left = await app.database.query(
      'SELECT 1 FROM wallabag_tokens t JOIN grants g ON g.id = t.grant_id WHERE g.user_id = $1',
      [ada.user.id],
    );
    expect(left).toEqual([]);
  });

  it('has the permissions selected in the form, which are all selected by default', async () => {
    const form = await ada.open(PATH);
    const chosen = [...parseDocument(form.text).body.querySelectorAll('input[checked]')];
    const api = clientIn(await make(ada, { name: 'Reader', retrieve: '1' }));

    expect(chosen.map((input) => input.getAttribute('name'))).toEqual([
      'retrieve',
      'add',
      'modify',
    ]);
    await api.user((await api.tokens(ada.user)).access_token).expect(200);
    expect(shownText(await ada.open(KEYS_PATH))).toMatch(/Reader\s+Can see your list\./);
  });

  it.each([
    [{ name: ' ', ...ALL_CHOSEN }, 'Name must have a visible character'],
    [{ name: 'a\nb', ...ALL_CHOSEN }, 'one line'],
    [{ name: 'x'.repeat(101), ...ALL_CHOSEN }, 'at most 100'],
    [{ name: 'x' }, 'Select at least one permission'],
  ])('is not created from %j', async (fields, sentence) => {
    const answer = await make(ada, fields);

    expect(answer.status).toBe(400);
    expect(shownText(answer)).toContain(sentence);
    expect(await rowsOf(ada)).toEqual([]);
  });

  it('counts toward the limit of 50 keys, even if several are created concurrently', async () => {
    await app.database.query(
      `INSERT INTO consumer_keys (name, key_hash, permissions, owner_id)
       SELECT 'x', sha256(($1 || '-' || n)::bytea), '{add}', $1::bigint FROM generate_series(1, 48) n`,
      [ada.user.id],
    );

    const answers = await Promise.all([make(ada), make(ada), make(ada), make(ada)]);

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 400, 400]);
    expect(await rowsOf(ada)).toHaveLength(50);
  });

  it('is not created without a valid CSRF token', async () => {
    const form = await ada.form(PATH, PATH);

    const forged = await ada.submit(form, { name: 'x', ...ALL_CHOSEN, _csrf: 'x' });
    await ada.logIn(ada.user).catch(() => undefined);

    expect(forged.status).toBe(403);
    expect(await rowsOf(ada)).toEqual([]);
  });

  it('is deleted when the user logs out everywhere and revokes all access', async () => {
    const api = clientIn(await make(ada));
    const { access_token: token } = await api.tokens(ada.user);

    await ada.submit(await ada.form('/account/security', '/account/sign-out'), { revoke: '1' });

    await api.user(token).expect(401);
    expect(await rowsOf(ada)).toEqual([]);
  });
});

describe('a wallabag client of all users', () => {
  it('is listed as an application of each user, who revokes it only for their own account', async () => {
    const api = await WallabagApi.of(app, { name: 'Family reader' });
    const other = await new AccountApi(app).registered();
    const [hers, his] = [await api.tokens(ada.user), await api.tokens(other)];
    expect(shownText(await ada.open('/account/devices'))).toContain('Family reader');
    expect(shownText(await ada.open(KEYS_PATH))).not.toContain('Family reader');

    const revoke = await ada.form('/account/devices', '/account/applications/revoke');
    expect(locationOf(await ada.submit(revoke))).toContain('/account');

    await api.user(hers.access_token).expect(401);
    await api.refresh(hers.refresh_token).expect(400);
    await api.user(his.access_token).expect(200);
    await api.user((await api.tokens(ada.user)).access_token).expect(200);
  });

  it('is rejected while it is disabled, and is no application for the consent page', async () => {
    const api = await WallabagApi.of(app);
    const { access_token: token } = await api.tokens(ada.user);
    const administrator = app.app.get(ConsumerKeysService);

    expect(await administrator.findEnabledApplication(api.client.clientId)).toBeNull();
    await administrator.disable(api.client.clientId);
    await api.user(token).expect(401);
    expect((await api.logIn(ada.user).expect(400)).body.error).toBe('invalid_client');
    await administrator.enable(api.client.clientId);
    await api.user(token).expect(200);
  });
});
