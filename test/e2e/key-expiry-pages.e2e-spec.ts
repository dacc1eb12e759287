import { ClientsService } from '../../src/auth/consumers/clients.service.js';
import { ConsumerKeysService } from '../../src/auth/consumers/consumer-keys.service.js';
import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import { ALL_PERMISSIONS } from '../../src/auth/consumers/permission.js';
import { UserRepository } from '../../src/auth/user.repository.js';
import { aVisitor, expireKeys, OAuthApi, REDIRECT_URI } from '../support/oauth-api.js';
import { consentPath, headingOf, locationOf, shownText } from '../support/page-visitor.js';
import type { Visitor } from '../support/personal-keys-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
/** The first user, who is an administrator. */
let root: Visitor;
let ada: Visitor;

beforeAll(async () => {
  app = await aTestApp();
  root = await aVisitor(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await aVisitor(app);
});

const expire = (): Promise<unknown> => expireKeys(app);

async function aKey(): Promise<string> {
  const details = { name: 'Guest', permissions: [...ALL_PERMISSIONS], dialect: Dialect.Standard };
  const { key } = await app.app.get(ConsumerKeysService).create(details, { validDays: 1 });
  return key;
}

describe('the pages say that access ends when it expires', () => {
  it.each([
    ['application passwords', '/account/keys/passwords'],
    ['clients', '/account/keys/clients'],
  ])('on the page of %s', async (_, path) => {
    expect(shownText(await ada.open(path))).toContain('works until it expires or you revoke it.');
  });

  it('on the consent page', async () => {
    const code = await (await OAuthApi.of(app)).code();

    const page = shownText(await ada.open(consentPath(code)));

    expect(page).toContain('keeps this access until it expires or you revoke it');
  });
});

it('the page for developers of wallabag apps marks the clients that have expired or are disabled', async () => {
  const user = await app.app.get(UserRepository).findOneByOrFail({ id: ada.user.id });
  const clients = app.app.get(ClientsService);
  const details = { permissions: [...ALL_PERMISSIONS] };
  await clients.create(user, { ...details, name: 'Trial', validDays: 1 });
  await clients.create(user, { ...details, name: 'Lasting' });
  const off = await clients.create(user, { ...details, name: 'Off' });

  await expire();
  await app.app.get(ConsumerKeysService).disable(off.clientId);

  const page = shownText(await ada.open('/wallabag/developer'));
  expect(page).toMatch(
    /Lasting - #\d+ Off - #\d+ Disabled by the administrator\. Trial - #\d+ Expired\. It does not work any more\./,
  );
});

describe('a disabled key at /admin/keys', () => {
  it('has no button that enables it if it has expired', async () => {
    const key = await aKey();
    const path = `/admin/keys/${key.split('-', 1)[0]}`;
    await app.app.get(ConsumerKeysService).disable(key);
    const page = () => root.open(path).expect(200);
    expect((await page()).text).toContain(`action="${path}/enable"`);

    await expire();

    expect((await page()).text).not.toContain(`action="${path}/enable"`);
    expect((await page()).text).toContain(`href="${path}/delete"`);
  });

  it('stays disabled if it expires after the page with the button was opened', async () => {
    const key = await aKey();
    const path = `/admin/keys/${key.split('-', 1)[0]}`;
    await app.app.get(ConsumerKeysService).disable(key);
    const form = await root.form(path, `${path}/enable`);
    await expire();

    const answer = await root.submit(form);

    expect(answer.status).toBe(409);
    expect(shownText(answer, '[role=alert]')).toContain('Expired. It does not work any more.');
    expect(shownText(answer)).toContain('State Disabled');
  });
});

describe.each([
  ['has expired', 'Application key expired', () => expire()],
  ['is disabled', 'Application disabled', (application: OAuthApi) => application.disable()],
])('an answer on the consent page of an application whose key %s', (_, heading, end) => {
  const stored = (): Promise<unknown> =>
    app.database.query(
      `SELECT decision FROM authorization_requests WHERE user_id = $1
       UNION ALL SELECT kind FROM audit_entries WHERE actor_id = $1 AND kind = 'consent_given'`,
      [ada.user.id],
    );

  it.each(['authorized', 'rejected'])('is not stored if it is "%s"', async (decision) => {
    const application = new OAuthApi(app, await aKey());
    const code = await application.code();
    const form = await ada.form(consentPath(code), '/auth/authorize');
    await end(application);

    const answer = await ada.submit(form, { decision }).expect(303);

    expect(locationOf(answer)).toBe(consentPath(code));
    const page = await ada.open(locationOf(answer));
    expect([page.status, headingOf(page)]).toEqual([403, heading]);
    expect(await stored()).toEqual([]);
  });

  it('can be repeated by the same person, but not by another person', async () => {
    const application = new OAuthApi(app, await aKey());
    const code = await application.code();
    const form = await ada.form(consentPath(code), '/auth/authorize');
    const formOfAnother = await root.form(consentPath(code), '/auth/authorize');
    await ada.submit(form, { decision: 'authorized' }).expect(303);
    const before = await stored();
    await end(application);

    const again = await ada.submit(form, { decision: 'authorized' }).expect(303);
    const another = await root.submit(formOfAnother, { decision: 'authorized' }).expect(303);

    expect(locationOf(again)).toBe(REDIRECT_URI);
    expect(locationOf(another)).toBe(consentPath(code));
    expect(await stored()).toEqual(before);
  });
});
