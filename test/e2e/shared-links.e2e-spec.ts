import type { Response, Test } from 'supertest';

import { aVisitor } from '../support/oauth-api.js';
import { formIn, shownText } from '../support/page-visitor.js';
import { PictureSite } from '../support/picture-site.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { openAsStranger, Sharer } from '../support/sharer.js';
import { aTestApp, NO_LIMITS, type TestApp } from '../support/test-app.js';

let site: PictureSite;
let app: TestApp;
let ada: Sharer;

beforeAll(async () => {
  site = await PictureSite.served();
  app = await aTestApp({
    config: {
      ...{ resolverConcurrency: 2, resolveWaitMs: 60_000 },
      resolverAllows: { addresses: ['127.0.0.1'], ports: [site.port] },
    },
  });
});
afterAll(async () => {
  await app.close();
  await site.stop();
});
beforeEach(async () => {
  ada = await Sharer.of(app, site);
});

const open = (path: string, language = 'en'): Test => openAsStranger(app, path, language);

/** Returns the whole response, without the values that differ for each request. */
async function gone(path: string): Promise<object> {
  const { status, text, headers } = await open(path);
  return { status, text, headers: { ...headers, date: '', 'x-request-id': '' } };
}

describe('a public link', () => {
  it('is one link if it is created twice at once', async () => {
    const page = await ada.visitor.open(`/read/${ada.id}`);
    const form = formIn(page, `/read/${ada.id}/share`);

    await Promise.all([1, 2, 3].map(() => ada.visitor.submit(form, { days: 'never' }).expect(303)));

    const rows = await app.database.query('SELECT FROM shared_items WHERE item_id = $1', [ada.id]);
    expect(rows).toHaveLength(1);
    const link = await ada.link();
    await open(link!).expect(200);
    expect(await ada.share({ days: '7' })).toBe(link);
  });

  it.each([
    ['1', 1],
    ['7', 7],
    ['30', 30],
  ])('expires after %s days', async (days, count) => {
    const link = await ada.share({ days });

    const [row] = await app.database.query<{ days: number }>(
      `SELECT extract(epoch FROM expires_at - created_at)::int / 86400 AS days FROM shared_items WHERE item_id = $1`,
      [ada.id],
    );
    expect(row?.days).toBe(count);
    expect(shownText(await ada.visitor.open(`/read/${ada.id}`), '#share')).toContain('Expires on');
    await open(link).expect(200);
    await ada.share({ days: 'never' });
    expect(shownText(await ada.visitor.open(`/read/${ada.id}`), '#share')).toContain(
      'Never expires.',
    );
  });

  it.each(['', '2', '-1', 'x', '1;'])('is refused with the expiry %j', async (days) => {
    const form = await ada.visitor.form(`/read/${ada.id}`, `/read/${ada.id}/share`);

    await ada.visitor.submit(form, { days }).expect(400);

    expect(await ada.link()).toBeUndefined();
  });

  it('is created only for an item of the user, and with the token of the form', async () => {
    const other = await ReadingListApi.of(app);
    const eve = await aVisitor(app, other.user);
    const csrf = await eve.csrfToken();
    await eve.post(`/read/${ada.id}/share`, { _csrf: csrf, days: 'never' }).expect(404);
    await ada.visitor.post(`/read/${ada.id}/share`, { days: 'never' }).expect(403);
    expect(await ada.link()).toBeUndefined();
    const link = await ada.share();

    await eve.post(`/read/${ada.id}/share/revoke`, { _csrf: csrf }).expect(303);
    await eve.post('/account/shared-links/revoke', { _csrf: csrf, item: ada.id }).expect(303);
    await eve.post('/account/shared-links/revoke-all', { _csrf: csrf }).expect(303);

    await open(link).expect(200);
  });

  it('shows the same 404 page for every reason', async () => {
    const link = await ada.share();
    const token = link.slice('/shared/'.length);
    const unknown = await gone(`/shared/${'A'.repeat(56)}`);
    const none = async (path = link): Promise<void> => {
      expect(await gone(path)).toEqual(unknown);
      expect(await gone(`${link}/pictures/1`)).toMatchObject({ status: 404 });
    };
    expect(unknown).toMatchObject({
      status: 404,
      headers: { 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' },
    });
    expect(unknown).not.toHaveProperty('headers.set-cookie');

    for (const wrong of [
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`,
      `${token}A`,
      token.slice(1),
      `${token}=`,
      '%00',
      '%ff',
      'x',
    ]) {
      const { status } = await open(`/shared/${wrong}`);
      expect([wrong, status]).toEqual([wrong, wrong.startsWith('%') ? expect.any(Number) : 404]);
      expect(status).toBeLessThan(500);
    }
    await open(link).expect(200);

    await ada.expire();
    await none();
    expect(await ada.link()).toBeUndefined();
    expect(await ada.share()).not.toBe(link);
    await none();
    const second = (await ada.link())!;
    await app.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [
      ada.api.user.id,
    ]);
    await none(second);
    await app.database.query('UPDATE users SET disabled_at = NULL WHERE id = $1', [
      ada.api.user.id,
    ]);
    await open(second).expect(200);
    await ada.revoke();
    await none(second);
  });

  it('ends with its item, and a restored or saved item is private', async () => {
    const link = await ada.share();
    const csrf = await ada.visitor.csrfToken();
    await ada.visitor
      .post('/list/actions', { _csrf: csrf, action: 'delete', 'item[]': ada.id })
      .expect(303);
    await open(link).expect(404);
    await ada.visitor
      .post('/list/actions', { _csrf: csrf, action: 'undo_delete', 'item[]': ada.id })
      .expect(303);
    await open(link).expect(404);
    expect(await ada.link()).toBeUndefined();

    const again = await ada.share();
    await ada.api.sent({ action: 'delete', item_id: ada.id }, { action: 'add', url: ada.url });
    await open(again).expect(404);

    const third = await ada.share();
    await ada.api.sent({ action: 'delete', item_id: ada.id });
    await open(third).expect(404);
    await ada.api.saved(ada.url);
    await open(third).expect(404);
  });

  it('ends with the account', async () => {
    const link = await ada.share();
    await app.database.query('DELETE FROM lists WHERE user_id = $1', [ada.api.user.id]);
    await app.database.query('DELETE FROM users WHERE id = $1', [ada.api.user.id]);

    await open(link).expect(404);
    expect(
      await app.database.query('SELECT FROM shared_items WHERE item_id = $1', [ada.id]),
    ).toEqual([]);
  });

  it('cannot be changed after its end', async () => {
    const link = await ada.share();
    await ada.expire();
    const csrf = await ada.visitor.csrfToken();

    const { headers } = await ada.visitor
      .post(`/read/${ada.id}/share`, { _csrf: csrf, days: 'same' })
      .expect(303);

    const page = await ada.visitor.open(headers['location']!);
    expect(shownText(page)).toContain('This link no longer works.');
    await open(link).expect(404);
    expect(await ada.link()).toBeUndefined();
  });
});

describe('the page of shared links', () => {
  it('lists the links, and revokes one or all', async () => {
    const other = site.article(`other-${ada.id}`);
    const otherId = await ada.api.saved(other);
    expect(shownText(await ada.visitor.open('/account/shared-links'))).toContain(
      'You share no articles.',
    );
    const [one, two] = [await ada.share({ days: '1', note: '1' }), await ada.share({}, otherId)];

    const page = await ada.visitor.open('/account/shared-links').expect(200);

    const text = shownText(page);
    expect(text).toContain('Article /shared-');
    expect(text).toContain('Article /other-');
    expect(text).toContain('Your note Included');
    expect(text).toContain('Expires Never');
    for (const path of [one, two]) {
      expect(page.text).toContain(`href="${path}"`);
    }
    const form = formIn(page, '/account/shared-links/revoke');
    await ada.visitor.submit(form, { item: otherId }).expect(303);
    expect([(await open(one)).status, (await open(two)).status]).toEqual([200, 404]);
    const { headers } = await ada.submit(
      '/account/shared-links',
      '/account/shared-links/revoke-all',
    );
    expect(headers['location']).toBe('/account/shared-links?done=links-revoked');
    await open(one).expect(404);
    expect(shownText(await ada.visitor.open(String(headers['location'])))).toContain(
      'All links revoked.',
    );
  });

  it('has further pages', async () => {
    await app.database.query(
      `INSERT INTO items (user_id, item_id, number, stamp, time_added, time_updated, given_url, title_key, url_key, search_text)
       SELECT user_id, n, 1000 + n, stamp, time_added, time_updated, 'https://more.example/' || n, '', '', ''
       FROM items, generate_series(1, 60) n WHERE item_id = $1`,
      [ada.id],
    );
    await app.database.query(
      `INSERT INTO shared_items (user_id, item_id, access_id)
       SELECT user_id, item_id, uuid_send(gen_random_uuid()) FROM items WHERE user_id = $1 AND item_id <= 60`,
      [ada.api.user.id],
    );

    const first = await ada.visitor.open('/account/shared-links').expect(200);
    const second = await ada.visitor.open('/account/shared-links?page=2').expect(200);

    const count = ({ text }: Response): number =>
      text.split('/account/shared-links/revoke"').length - 1;
    expect([count(first), count(second)]).toEqual([50, 10]);
    expect(shownText(first)).toContain('Older links');
    expect(shownText(second)).not.toContain('Older links');
    await ada.visitor.open('/account/shared-links?page=0').expect(200);
    await ada.visitor.open('/account/shared-links?page=x').expect(200);
  });
});

describe('the visits of public links', () => {
  it('are limited for each network address, and a blocked visitor gets no cookie', async () => {
    const limited = await aTestApp({ config: { limits: { ...NO_LIMITS, sharedPerAddress: 2 } } });
    const statuses: number[] = [];
    try {
      for (const path of ['/shared/x', '/shared/y', '/shared/x']) {
        const { status, headers } = await openAsStranger(limited, path);
        statuses.push(status);
        expect(headers).not.toHaveProperty('set-cookie');
      }
    } finally {
      await limited.close();
    }

    expect(statuses).toEqual([404, 404, 429]);
  });
});
