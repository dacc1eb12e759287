import request from 'supertest';

import { parseDocument } from '../../src/lib/extraction/dom.js';
import { aVisitor } from '../support/oauth-api.js';
import { shownText } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PUBLIC = 'http://satchel.example.org';

let app: TestApp;
let ada: Awaited<ReturnType<typeof aVisitor>>;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await aVisitor(app);
});

/** Returns the feed addresses on the account page. */
async function addresses(): Promise<string[]> {
  const { text } = await ada.open('/account/devices').expect(200);
  const links = parseDocument(text).body.querySelectorAll('a[href*="/feeds/"]');
  return Array.from(links, (link) => link.getAttribute('href') ?? '');
}

const make = async (): Promise<string | undefined> =>
  (await ada.submit(await ada.form('/account/devices', '/account/feeds')).expect(303)).headers[
    'location'
  ];

const statusOf = async (address: string | undefined): Promise<number> =>
  (await request(app.url).get(new URL(address!).pathname)).status;

describe('the feed addresses on the account page', () => {
  it('are shown permanently after the user has created them', async () => {
    expect(await addresses()).toEqual([]);

    const location = await make();

    expect(location).toBe('/account/devices?done=feeds');
    expect(shownText(await ada.open(location!))).toContain('Feed address created.');
    const shown = await addresses();
    const [, token] = /\/feeds\/([\w-]{48})\//.exec(shown[0]!)!;
    const start = `${app.url}/feeds/${token}`;
    expect(shown).toEqual(
      ['unread', 'archive', 'favorites'].flatMap((name) => [
        `${start}/${name}.atom`,
        `${start}/${name}.json`,
      ]),
    );
    expect(shownText(await ada.open('/account/devices'))).toContain(`${start}/tag/NAME.atom`);
    expect(await Promise.all(shown.map(statusOf))).toEqual(shown.map(() => 200));
    expect(await addresses()).toEqual(shown);
  });

  it('stop working when the user creates new addresses', async () => {
    await make();
    const [before] = await addresses();

    await make();

    const [after] = await addresses();
    expect([await statusOf(before), await statusOf(after)]).toEqual([404, 200]);
  });

  it('are revoked only for the user who revokes them', async () => {
    await make();
    const [mine] = await addresses();
    const bob = await aVisitor(app);
    const form = await bob.form('/account/devices', '/account/feeds');
    await bob.submit(form).expect(303);

    await bob.submit(await bob.form('/account/devices', '/account/feeds/revoke')).expect(303);
    expect(await statusOf(mine)).toBe(200);
    const answer = await ada.submit(await ada.form('/account/devices', '/account/feeds/revoke'));

    expect(answer.headers['location']).toBe('/account/devices?done=feeds-revoked');
    expect(shownText(await ada.open('/account/devices?done=feeds-revoked'))).toContain(
      'address revoked',
    );
    expect([await statusOf(mine), await addresses()]).toEqual([404, []]);
  });

  it('keep working after a logout everywhere, unless the user revokes all access', async () => {
    await make();
    const [mine] = await addresses();

    await ada.submit(await ada.form('/account/security', '/account/sign-out')).expect(303);
    expect(await statusOf(mine)).toBe(200);
    await ada.logIn(ada.user);
    await ada
      .submit(await ada.form('/account/security', '/account/sign-out'), { revoke: '1' })
      .expect(303);

    expect(await statusOf(mine)).toBe(404);
  });

  it('are not on public pages, in alternate links or in the referrer for other sites', async () => {
    await make();
    const account = await ada.open('/account/devices').expect(200);
    const others = [await ada.open('/'), await request(app.url).get('/auth/login')];

    expect(account.headers).toMatchObject({
      ...{ 'referrer-policy': 'same-origin', 'cache-control': 'no-store' },
    });
    expect([account, ...others].filter(({ text }) => /rel="?alternate/.test(text))).toEqual([]);
    expect(others.filter(({ text }) => text.includes('/feeds/'))).toEqual([]);
  });
});

describe('a service with PUBLIC_URL', () => {
  it('uses PUBLIC_URL in feeds, regardless of the Host header of the request', async () => {
    const beside = await aTestApp({ config: { publicUrl: new URL(PUBLIC) } });
    const eve = await aVisitor(beside);
    await eve.submit(await eve.form('/account/devices', '/account/feeds')).expect(303);
    const { text } = await eve.open('/account/devices').expect(200);
    const [address] = /http:[^"]+satchel[^"]+unread\.json/.exec(text)!;

    const { body } = await request(beside.url)
      .get(new URL(address).pathname)
      .set('Host', 'evil.example.net')
      .expect(200);

    await beside.close();
    expect(address).toMatch(/^http:\/\/satchel\.example\.org\/feeds\//);
    expect(body).toMatchObject({ feed_url: address, home_page_url: `${PUBLIC}/list` });
  });
});
