import request from 'supertest';

import { AccountApi } from '../support/account-api.js';
import { CatalogueReader, textOf } from '../support/catalogue-reader.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { SubPathProxy } from '../support/sub-path-proxy.js';
import { aTestApp, NO_LIMITS } from '../support/test-app.js';

describe('the OPDS catalogue below a path of a host', () => {
  it.each([true, false])(
    'has working links whether or not the proxy strips the path: %s',
    async (takesOff) => {
      const proxy = await SubPathProxy.listening('/satchel');
      const below = await aTestApp({ config: { publicUrl: new URL(proxy.url) } });
      Object.assign(proxy, { target: below.url, takesOff });
      const user = await ReadingListApi.of(below);
      await user.sent(
        ...Array.from({ length: 31 }, (_, at) => ({
          action: 'add',
          url: `https://example.com/${at}`,
        })),
      );
      const device = (await CatalogueReader.of(below, user.user)).with({ url: proxy.origin });

      const start = await device.feed('/satchel/opds');
      const { entries, pages } = await device.all(start.entries[0]!.href);
      const description = textOf(await device.get('/satchel/opds/search.xml'));
      await device.head(entries[30]!.href).expect(200);
      const refused = await request(proxy.url).get('/opds');
      const address = proxy.url;
      proxy.stop();
      await below.close();

      expect(start.entries[0]!.href).toBe('/satchel/opds/unread');
      expect([pages, entries.length]).toEqual([2, 31]);
      expect(description).toContain(`template="${address}/opds/search?q={searchTerms}"`);
      expect(refused.text).toContain(`${address}/account/keys`);
    },
  );
});

describe('login attempts at /opds', () => {
  it('count toward the limit of the login page only if they fail', async () => {
    const limits = { ...NO_LIMITS, loginPerAddress: 3, loginPerAccount: 0 };
    const limited = await aTestApp({ config: { limits } });
    const user = await new AccountApi(limited).registered();
    const [{ id }] = (await limited.database.query('SELECT id FROM users')) as [{ id: string }];
    const device = await CatalogueReader.of(limited, { ...user, id });
    const guesser = device.with({ password: 'wrong' });
    const statusesOf = async (count: number, one: CatalogueReader): Promise<number[]> => {
      const statuses = [];
      for (let round = 0; round < count; round += 1) {
        statuses.push((await one.get('/opds')).status);
      }
      return statuses;
    };

    const successes = await statusesOf(6, device);
    await request(limited.url).get('/opds').expect(401);
    const guesses = await statusesOf(4, guesser);
    const last = await guesser.get('/opds');
    const site = await new AccountApi(limited).login(user);
    await limited.close();

    expect(successes).toEqual([200, 200, 200, 200, 200, 200]);
    expect(guesses).toEqual([401, 401, 401, 429]);
    expect([last.type, Number(last.headers['retry-after']) > 0]).toEqual(['text/plain', true]);
    expect(site.status).toBe(429);
  });
});
