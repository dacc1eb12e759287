import request from 'supertest';

import { Permission } from '../../src/auth/consumers/permission.js';
import {
  MOST_PERSONAL_KEYS,
  PersonalKeysService,
} from '../../src/auth/consumers/personal-keys.service.js';
import { UserRepository } from '../../src/auth/user.repository.js';
import { parseDocument } from '../../src/lib/extraction/dom.js';
import { aVisitor } from '../support/oauth-api.js';
import { shownText } from '../support/page-visitor.js';
import {
  ALL_CHOSEN,
  KEYS_PATH,
  PersonalKeysApi,
  type Visitor,
} from '../support/personal-keys-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

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

describe('the form that creates a personal key', () => {
  const CHARACTER = /visible character/;
  const LINE = /one line/;

  it.each([
    ['no name', { name: '' }, CHARACTER],
    ['a blank name', { name: ' \u00a0 ' }, CHARACTER],
    ['a name that is not drawn', { name: '\u200b\u2060\u3164\u2800\ufe0f' }, CHARACTER],
    ['a name too long', { name: 'x'.repeat(101) }, /at most 100/],
    ['too many emoji', { name: '😀'.repeat(101) }, /at most 100/],
    ['two lines', { name: 'a\nb' }, LINE],
    ['a control character', { name: 'a\u001b[2Jb' }, LINE],
    ['text that is turned around', { name: 'a\u202eb' }, LINE],
  ])('rejects %s and keeps the selected permissions', async (_, fields, sentence) => {
    const answer = await keys.send(ada, { ...fields, add: '1' });

    expect(answer.status).toBe(400);
    expect(shownText(answer)).toMatch(sentence);
    const { body } = parseDocument(answer.text);
    expect(body.querySelector('#may-add')?.hasAttribute('checked')).toBe(true);
    expect(body.querySelector('#name')?.getAttribute('aria-invalid')).toBe('true');
    expect(await keys.rowsOf(ada)).toEqual([]);
  });

  it('rejects a key without permissions and a name with a NUL character', async () => {
    const nothing = await keys.send(ada, { name: 'Idle', fly: '1', retrieve: 'yes' });
    const hostile = await keys.send(ada, { name: 'a\u0000b', ...ALL_CHOSEN });

    expect([nothing.status, hostile.status]).toEqual([400, 400]);
    expect(shownText(nothing)).toContain('Select at least one permission.');
    expect(parseDocument(nothing.text).body.querySelector('#name')?.getAttribute('value')).toBe(
      'Idle',
    );
    expect(await keys.rowsOf(ada)).toEqual([]);
  });

  it.each([
    '<script>alert(1)</script>',
    `"><img src=x onerror=alert(1)>' OR 1=1 --`,
    '😀'.repeat(100),
    'کلید',
    '👩‍💻 laptop',
    '__proto__',
  ])('shows the name %s as text', async (name) => {
    const answer = await keys.send(ada, { name: `  ${name} `, ...ALL_CHOSEN });

    expect(answer.status).toBe(200);
    expect(shownText(answer)).toContain(`“${name}”`);
    const list = parseDocument((await ada.open(KEYS_PATH)).text).body;
    expect(list.querySelector('main h3')?.textContent).toBe(name);
    expect(list.querySelectorAll('main script, main img')).toHaveLength(0);
  });

  it('creates no key without a form token or without a login', async () => {
    await ada.post(KEYS_PATH, { name: 'Forged', ...ALL_CHOSEN }).expect(403);
    await request(app.url)
      .post(KEYS_PATH)
      .type('form')
      .send({ name: 'Forged', ...ALL_CHOSEN })
      .expect(403);
    const visit = await request(app.url).get(KEYS_PATH);

    expect(visit.headers['location']).toBe('/auth/login?next=%2Faccount%2Fkeys');
    expect(await keys.rowsOf(ada)).toEqual([]);
  });

  it('creates keys up to the limit, also in concurrent requests, and a new key after a revocation', async () => {
    const service = app.app.get(PersonalKeysService);
    const owner = await app.app.get(UserRepository).findOneByOrFail({ id: ada.user.id });
    for (let made = 0; made < MOST_PERSONAL_KEYS - 2; made += 1) {
      await service.create(owner, { name: `Key ${made}`, permissions: [Permission.Add] });
    }
    const form = await ada.form(KEYS_PATH, KEYS_PATH);

    const answers = await Promise.all(
      Array.from({ length: 6 }, () => ada.submit(form, { name: 'Last', ...ALL_CHOSEN })),
    );

    const refused = answers.filter(({ status }) => status === 400);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 400, 400, 400, 400]);
    expect(shownText(refused[0]!)).toContain('You have 50 keys');
    expect(await keys.rowsOf(ada)).toHaveLength(MOST_PERSONAL_KEYS);
    await keys.make(await aVisitor(app));
    await ada.submit(await ada.form(KEYS_PATH, `${KEYS_PATH}/revoke`));
    await keys.make(ada, { name: 'Next', ...ALL_CHOSEN });
    expect(await keys.rowsOf(ada)).toHaveLength(MOST_PERSONAL_KEYS);
  });
});
