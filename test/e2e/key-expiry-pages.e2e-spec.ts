import { ClientsService } from '../../src/auth/consumers/clients.service.js';
import { ConsumerKeysService } from '../../src/auth/consumers/consumer-keys.service.js';
import { ALL_PERMISSIONS } from '../../src/auth/consumers/permission.js';
import { UserRepository } from '../../src/auth/user.repository.js';
import { aVisitor, OAuthApi } from '../support/oauth-api.js';
import { consentPath, shownText } from '../support/page-visitor.js';
import type { Visitor } from '../support/personal-keys-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let ada: Visitor;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await aVisitor(app);
});

/** Lets all keys expire that have an expiry date. */
const expire = (): Promise<unknown> =>
  app.database.query('UPDATE consumer_keys SET expires_at = now() WHERE expires_at IS NOT NULL');

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
