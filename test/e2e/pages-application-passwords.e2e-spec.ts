import type { Response } from 'supertest';

import { parseDocument } from '../../src/lib/extraction/dom.js';
import { CatalogueReader } from '../support/catalogue-reader.js';
import { aVisitor } from '../support/oauth-api.js';
import { locationOf, PageVisitor, shownText } from '../support/page-visitor.js';
import { ALL_CHOSEN, KEYS_PATH, type Visitor } from '../support/personal-keys-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PATH = `${KEYS_PATH}/passwords`;

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
  fields: Readonly<Record<string, string>> = { name: 'KOReader', retrieve: '1' },
): Promise<Response> => visitor.submit(await visitor.form(PATH, PATH), fields);

const passwordIn = ({ text }: Response): string =>
  parseDocument(text).body.querySelector('[data-password]')?.textContent ?? '';

const readerWith = ({ user }: Visitor, password: string): Promise<CatalogueReader> =>
  CatalogueReader.of(app, user).then((reader) => reader.with({ password }));

const rowsOf = ({ user }: Visitor): Promise<unknown[]> =>
  app.database.query('SELECT permissions FROM consumer_keys WHERE owner_id = $1', [user.id]);

describe('an application password', () => {
  it('is shown once with the settings for an e-reader, and works until it is revoked', async () => {
    const answer = await make(ada, { name: 'Kobo <b>', retrieve: '1' });

    const password = passwordIn(answer);
    const shown = shownText(answer);
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(password).toMatch(/^[\da-hjkmnp-tv-z]{4}(?:-[\da-hjkmnp-tv-z]{4}){3}$/);
    expect(shown).toContain('Kobo <b>');
    expect(shown).toContain(`${app.url}/opds`);
    expect(shown).toContain(ada.user.email);
    expect(await rowsOf(ada)).toEqual([{ permissions: ['retrieve'] }]);
    const list = await ada.open(KEYS_PATH);
    const later = await Promise.all([PATH, '/account'].map((path) => ada.open(path)));
    const rows = await app.database.query(
      'SELECT k::text AS key, g::text AS grant FROM consumer_keys k JOIN grants g ON g.consumer_key_id = k.id',
    );
    const everywhere =
      [list, ...later].map(({ text }) => text).join() + JSON.stringify(rows) + app.log();
    expect(everywhere).not.toContain(password);
    expect(everywhere).not.toContain(password.replaceAll('-', ''));
    expect(shownText(list)).toMatch(/Kobo <b>\s+Can see your list\./);

    const id = parseDocument(list.text)
      .body.querySelector('input[name="key"]')!
      .getAttribute('value');
    const revoke = await ada.form(KEYS_PATH, `${KEYS_PATH}/revoke`);
    const reader = await readerWith(ada, password);
    await reader.get('/opds').expect(200);
    await ada.submit(revoke, { key: id ?? '' }).expect(303);
    await reader.get('/opds').expect(401);
  });

  it('has only the permission retrieve by default', async () => {
    const form = await ada.open(PATH).expect(200);
    const boxes = [...parseDocument(form.text).body.querySelectorAll('input[type="checkbox"]')];

    expect(
      boxes.map((box) => [box.getAttribute('name'), box.getAttribute('checked') !== null]),
    ).toEqual([
      ['retrieve', true],
      ['add', false],
      ['modify', false],
    ]);
    await make(ada, { name: 'All', ...ALL_CHOSEN });
    expect(await rowsOf(ada)).toEqual([{ permissions: ['retrieve', 'add', 'modify'] }]);
  });

  it.each([
    { name: '', retrieve: '1' },
    { name: 'x'.repeat(101), retrieve: '1' },
    { name: 'Reader' },
  ])('is not created with %j', async (fields) => {
    const answer = await make(ada, fields);

    expect(answer.status).toBe(400);
    expect(shownText(answer)).toContain('Application password not created');
    expect(await rowsOf(ada)).toEqual([]);
  });

  it('is not created without a valid CSRF token or without a login', async () => {
    const fields = { name: 'KOReader', retrieve: '1' };

    expect((await ada.post(PATH, fields)).status).toBe(403);
    expect((await ada.post(PATH, { ...fields, _csrf: 'x' })).status).toBe(403);
    const other = await aVisitor(app);
    expect((await ada.post(PATH, { ...fields, _csrf: await other.csrfToken() })).status).toBe(403);
    const stranger = await new PageVisitor(app).open(PATH).expect(303);

    expect(locationOf(stranger)).toMatch(/^\/auth\/login/);
    expect(await rowsOf(ada)).toEqual([]);
  });
});
