import { hash } from 'node:crypto';

import pg from 'pg';

import { until } from '../support/processes.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagCaller } from '../support/wallabag-caller.js';

let app: TestApp;
let ada: WallabagCaller;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await WallabagCaller.of(app);
});

const at = (name: string): string => `https://example.com/${name}`;
const sha1 = (text: string): string => hash('sha1', text);

/** Deletes the list separately, as in databases where lists do not reference users (docs/decisions/0082). */
const DELETE_USER = [
  'DELETE FROM lists WHERE user_id = $1',
  'DELETE FROM users WHERE id = $1',
] as const;

const exists = async (query: object): Promise<unknown> =>
  (await ada.get('entries/exists.json', query as Record<string, unknown>).expect(200)).body;

describe('GET /wallabag/api/entries/exists', () => {
  it('reports an invalid URL as missing, which clients use to test the connection', async () => {
    expect(await exists({ url: 'wallabag-apiwrapper-test.example.com' })).toEqual({
      exists: false,
    });
    expect(await exists({ url: 'no url', return_id: 1 })).toEqual({ exists: null });
    expect(await exists({ hashed_url: 'abc' })).toEqual({ exists: false });
    await ada.get('entries/exists').expect(400);
  });

  it('finds an entry by its URL, and by hashes of the encoded and the decoded URL', async () => {
    const url = at('a%20b+c');
    const number = await ada.saved(url);
    const eve = await WallabagCaller.of(app);

    expect(await exists({ url })).toEqual({ exists: true });
    expect(await exists({ url, return_id: 1 })).toEqual({ exists: number });
    for (const hashed of [sha1(url), sha1(at('a b c')), sha1(url).toUpperCase()]) {
      expect(await exists({ hashed_url: hashed, return_id: 1 })).toEqual({ exists: number });
    }
    const { hashed_url: own, hashed_given_url: given } = await ada.entry(number);
    expect([own, given]).toEqual([sha1(at('a b c')), sha1(at('a b c'))]);
    expect((await eve.get('entries/exists', { hashed_url: sha1(url) })).body).toEqual({
      exists: false,
    });
  });

  it('returns many results, keyed by the requested values', async () => {
    const numbers = await Promise.all([1, 2].map((n) => ada.saved(at(`many-${n}`))));
    const urls = Array.from({ length: 70 }, (_, n) => at(`many-${n}`));

    const byUrl = await exists({ 'urls[]': urls, return_id: 1 });
    const byHash = await exists({ 'hashed_urls[]': urls.map(sha1) });

    expect(byUrl).toEqual(Object.fromEntries(urls.map((url, n) => [url, numbers[n - 1] ?? null])));
    expect(byHash).toEqual(
      Object.fromEntries(urls.map((url, n) => [sha1(url), n === 1 || n === 2])),
    );
  });

  it('reflects additions and deletions after the hashes were stored, also for concurrent calls', async () => {
    await ada.saved(at('first'));
    expect(await exists({ hashed_url: sha1(at('first')) })).toEqual({ exists: true });
    await ada.saved(at('later'));
    const asked = { 'hashed_urls[]': [sha1(at('first')), sha1(at('later')), sha1(at('led'))] };
    const present = {
      [sha1(at('first'))]: true,
      [sha1(at('later'))]: true,
      [sha1(at('led'))]: false,
    };

    expect(await Promise.all([1, 2, 3, 4].map(() => exists(asked)))).toEqual(
      Array(4).fill(present),
    );

    const [later] = await ada.v3.items();
    await ada.v3.results({ action: 'delete', item_id: later!.item_id });
    expect(await exists(asked)).toEqual({ ...present, [sha1(at('later'))]: false });
  });

  it('finds an entry by its redirect target', async () => {
    await ada.saved(at('short'));
    await app.database.query(
      `UPDATE items SET resolved_url = $1, stamp = stamp + 1 WHERE given_url = $2`,
      [at('led'), at('short')],
    );
    await app.database.query('UPDATE lists SET stamp = stamp + 1');

    expect(await exists({ hashed_url: sha1(at('led')) })).toEqual({ exists: true });
    expect(await exists({ url: at('led') })).toEqual({ exists: true });
    expect(await exists({ hashed_url: sha1(at('short')) })).toEqual({ exists: true });
  });

  it.each(['url_hashes', 'hashed_lists'])(
    'returns 401 if the user is deleted while the call writes %s',
    async (table) => {
      await ada.saved(at('going'));
      if (table === 'hashed_lists') {
        // Without items, the service only has to store how far the list is hashed.
        await app.database.query('DELETE FROM items WHERE user_id = $1', [ada.v3.user.id]);
      }
      const deleting = new pg.Client({ connectionString: app.database.url });
      await deleting.connect();
      await deleting.query('BEGIN');
      for (const deletion of DELETE_USER) {
        await deleting.query(deletion, [ada.v3.user.id]);
      }

      const answer = ada
        .get('entries/exists', { hashed_url: sha1(at('going')) })
        .then(({ status, body }) => ({ status, error: body.error }));
      await until(async () => (await app.database.lockWaits()) > 0);
      await deleting.query('COMMIT');
      await deleting.end();

      expect(await answer).toEqual({ status: 401, error: 'unauthorized' });
    },
  );

  it('leaves no hashes of a deleted user', async () => {
    await ada.saved(at('gone'));
    await exists({ hashed_url: sha1(at('gone')) });
    const count = async (): Promise<unknown> =>
      app.database.query(
        `SELECT (SELECT count(*)::int FROM url_hashes WHERE user_id = $1) AS hashes,
          (SELECT count(*)::int FROM hashed_lists WHERE user_id = $1) AS lists`,
        [ada.v3.user.id],
      );
    expect(await count()).toEqual([{ hashes: 1, lists: 1 }]);

    for (const deletion of DELETE_USER) {
      await app.database.query(deletion, [ada.v3.user.id]);
    }

    expect(await count()).toEqual([{ hashes: 0, lists: 0 }]);
  });
});
