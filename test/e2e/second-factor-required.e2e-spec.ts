import { Role } from '../../src/auth/entities/user.entity.js';
import type { AccountApi } from '../support/account-api.js';
import { ProtectedVisitor } from '../support/authenticator.js';
import { aVisitor, OAuthApi } from '../support/oauth-api.js';
import {
  consentPath,
  headingOf,
  locationOf,
  PageVisitor,
  shownText,
} from '../support/page-visitor.js';
import { passkeyRequestOf, SITE } from '../support/passkey-visitor.js';
import { APP_PATH, ASK_PATH, RequiredFactorWorld } from '../support/required-factor-world.js';
import { SoftPasskey } from '../support/soft-passkey.js';
import type { TestApp } from '../support/test-app.js';

const REQUIRED = 'Second factor required';
/** Pages of all kinds, which nobody can open without the second factor. */
const PAGES = [
  ...['/list', '/list/offline.json', '/save', '/account', '/account/security', '/account/keys'],
  ...['/account/passkeys', '/account/delete', '/account/data', '/admin', '/admin/users', '/'],
  ...['/wallabag', '/wallabag/developer', '/auth/login'],
];

let world: RequiredFactorWorld;
let app: TestApp;
let api: AccountApi;

beforeAll(async () => {
  world = await RequiredFactorWorld.begin();
  ({ app, api } = world);
});
afterAll(() => app.close());
beforeEach(() => {
  world.requireFor('everyone');
});

describe('a user without a required second factor', () => {
  it('is sent from the login to the page that asks for it, then to the page that was wanted', async () => {
    const ada = await api.registered();
    const visitor = new PageVisitor(app);
    const form = await visitor.form('/auth/login?next=%2Flist%3Fsort%3Doldest', '/auth/login');
    const login = await visitor
      .submit(form, { email: ada.email, password: ada.password })
      .expect(303);

    const caught = await visitor.open(locationOf(login)).expect(303);
    const page = await visitor.open(locationOf(caught)).expect(200);
    const next = '/list?sort=oldest';
    const answer = await world.setUpApp(visitor, ada.password, next);

    expect(locationOf(caught)).toBe(`${ASK_PATH}?next=%2Flist%3Fsort%3Doldest`);
    expect(headingOf(page)).toBe(REQUIRED);
    expect(page.text).toContain(`href="${APP_PATH}?next=%2Flist%3Fsort%3Doldest"`);
    expect(answer.text).toContain(`class="button" href="${next}"`);
    await visitor.open(next).expect(200);
    expect(locationOf(await visitor.open(ASK_PATH))).toBe('/list');
  });

  it.each(PAGES)('cannot open %s', async (path) => {
    const visitor = await world.visitorByPassword(await api.registered());

    const answer = await visitor.open(path).set('Accept', 'text/html');

    expect([answer.status, locationOf(answer).split('?')[0]]).toEqual([303, ASK_PATH]);
  });

  it('cannot send a form, which changes nothing', async () => {
    const visitor = await world.aVisitor();
    const form = await world.before(() => visitor.form('/account/devices', '/account/feeds'));

    const answer = await visitor.submit(form);

    expect([answer.status, locationOf(answer)]).toEqual([303, ASK_PATH]);
    const feeds = 'SELECT FROM feed_accesses WHERE user_id = $1 AND access_id IS NOT NULL';
    expect(await app.database.query(feeds, [visitor.user.id])).toEqual([]);
  });

  it('cannot give an application access before, and can afterwards', async () => {
    const ada = await api.registered();
    const visitor = await world.visitorByPassword(ada);
    const code = await (await OAuthApi.of(app)).code();
    const form = await world.before(() => visitor.form(consentPath(code), '/auth/authorize'));

    const refused = await visitor.submit(form, { decision: 'authorized' });
    const caught = await visitor.open(consentPath(code)).expect(303);
    const next = new URL(locationOf(caught), app.url).searchParams.get('next') ?? '';
    const answer = await world.setUpApp(visitor, ada.password, next);

    expect(locationOf(refused)).toBe(ASK_PATH);
    expect(locationOf(caught)).toContain(`${ASK_PATH}?next=`);
    expect(answer.text).toContain('/auth/authorize?request_token=');
    await visitor.form(next, '/auth/authorize');
  });

  it('can add a passkey instead, also with an old login', async () => {
    const ada = await api.registered();
    const visitor = await world.visitorByPassword(ada);
    const path = '/account/passkeys/new';
    const form = await visitor.form(`${path}?next=%2Faccount%2Fdata`, path);
    const passkey = new SoftPasskey(SITE.origin);
    const token = form.fields['_csrf'] ?? '';
    const credential = passkey.created(await passkeyRequestOf(visitor, path, token));
    await app.database.query('UPDATE sessions SET proven_at = NULL WHERE user_id = $1', [ada.id]);
    const late = await visitor.submit(form, { name: 'Laptop', credential }).expect(303);
    const confirm = await visitor.form(locationOf(late), '/auth/confirm');
    const back = await visitor.submit(confirm, { password: ada.password }).expect(303);
    const again = await visitor.form(locationOf(back), path);
    const newToken = again.fields['_csrf'] ?? '';
    const created = new SoftPasskey(SITE.origin);

    const added = await visitor.submit(again, {
      name: 'Laptop',
      credential: created.created(await passkeyRequestOf(visitor, path, newToken)),
    });

    expect([added.status, locationOf(added)]).toEqual([303, '/account/data']);
    await visitor.open('/account/data').expect(200);
  });

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'is never sent to %s',
    async (next) => {
      const ada = await api.registered();
      const visitor = await world.visitorByPassword(ada);
      const page = await visitor.open(`${ASK_PATH}?${new URLSearchParams({ next }).toString()}`);

      const answer = await world.setUpApp(visitor, ada.password, next);

      expect(page.text + answer.text).not.toContain('evil.example');
      expect(answer.text).toContain('class="button" href="/account/security"');
      const after = await visitor.open(`${ASK_PATH}?${new URLSearchParams({ next }).toString()}`);
      expect(locationOf(after)).toBe('/list');
    },
  );

  it('can log out', async () => {
    const visitor = await world.visitorByPassword(await api.registered());

    await visitor.submit(await visitor.form(ASK_PATH, '/auth/leave')).expect(303);

    expect(locationOf(await visitor.open('/list'))).toContain('/auth/login');
  });

  it('gets 401 in scripts, as without a login', async () => {
    const visitor = await world.visitorByPassword(await api.registered());

    const answer = await visitor.open('/list/offline.json').set('Accept', 'application/json');

    expect(answer.status).toBe(401);
  });

  it('is caught again if an administrator removes the second factor', async () => {
    const ada = await ProtectedVisitor.of(app, await world.aVisitor());
    await ada.visitor.open('/account').expect(200);
    await app.database.query('DELETE FROM second_factors WHERE user_id = $1', [ada.user.id]);

    expect(locationOf(await ada.visitor.open('/account'))).toBe(`${ASK_PATH}?next=%2Faccount`);
  });
});

describe('only for administrators', () => {
  it('lets other users do everything, and catches an administrator at the next page', async () => {
    world.requireFor('administrators');
    const visitor = await aVisitor(app);
    await visitor.open('/account').expect(200);

    await app.database.query('UPDATE users SET role = $2 WHERE id = $1', [
      visitor.user.id,
      Role.Administrator,
    ]);

    for (const path of ['/account', '/admin', '/admin/users']) {
      expect(locationOf(await visitor.open(path))).toContain(ASK_PATH);
    }
    await world.setUpApp(visitor, visitor.user.password);
    expect(shownText(await visitor.open('/admin').expect(200))).toMatch(
      /Users who must set up a second factor \d/,
    );
  });
});
