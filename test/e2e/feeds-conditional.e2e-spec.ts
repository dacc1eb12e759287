import request, { type Test } from 'supertest';

import { FeedsService } from '../../src/apis/feeds/feeds.service.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: ReadingListApi;
let start: string;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  const feeds = app.app.get(FeedsService);
  await feeds.issue(api.user);
  start = (await feeds.pathsOf(api.user.id))!.tags.replace(/tag\/$/, '');
});

const get = (path: string, headers: Record<string, string> = {}): Test =>
  request(app.url).get(path).set(headers);

describe('a conditional request for a feed', () => {
  const validatorsOf = async (file: string): Promise<{ etag: string; date: string }> => {
    const { headers } = await get(`${start}${file}`).expect(200);
    return { etag: headers['etag']!, date: headers['last-modified']! };
  };

  it('returns 304 until the list changes', async () => {
    await api.saved('https://example.com/a');
    app.clock.advance(10);
    const { etag, date } = await validatorsOf('unread.atom');

    const same = await get(`${start}unread.atom`, { 'If-None-Match': etag }).expect(304);
    await get(`${start}unread.atom`, { 'If-Modified-Since': date }).expect(304);
    await get(`${start}archive.atom`, { 'If-None-Match': etag }).expect(200);
    await get(`${start}unread.json`, { 'If-None-Match': etag }).expect(200);

    expect(same.headers).toMatchObject({
      ...{ etag, 'last-modified': date, 'cache-control': 'private, no-cache' },
      'referrer-policy': 'no-referrer',
    });
    expect(etag).toMatch(/^"[\w-]+"$/);
    await api.saved('https://example.com/b');
    await get(`${start}unread.atom`, { 'If-None-Match': etag }).expect(200);
    await get(`${start}unread.atom`, { 'If-Modified-Since': date }).expect(200);
    await get(`${start}unread.atom`, { 'If-None-Match': etag, 'If-Modified-Since': date }).expect(
      200,
    );
  });

  it('returns 304 for a list that has no items yet', async () => {
    app.clock.advance(10);
    const { etag, date } = await validatorsOf('unread.atom');

    await get(`${start}unread.atom`, { 'If-None-Match': etag }).expect(304);
    await get(`${start}unread.atom`, { 'If-Modified-Since': date }).expect(304);
    await api.saved('https://example.com/a');
    await get(`${start}unread.atom`, { 'If-None-Match': etag }).expect(200);
  });

  it('returns 304 without reading the items', async () => {
    await api.saved('https://example.com/a');
    const { etag } = await validatorsOf('unread.atom');

    await app.database.query('ALTER TABLE items RENAME TO hidden_items');
    const known = await get(`${start}unread.atom`, { 'If-None-Match': etag });
    const unknown = await get(`${start}unread.atom`);
    await app.database.query('ALTER TABLE hidden_items RENAME TO items');

    expect([known.status, unknown.status]).toEqual([304, 500]);
  });

  it('returns the headers of GET for HEAD, and 304 for a known ETag', async () => {
    await api.saved('https://example.com/a');
    const { headers } = await get(`${start}unread.atom`).expect(200);

    const seen = await request(app.url).head(`${start}unread.atom`).expect(200);

    expect(seen.text).toBeFalsy();
    expect(seen.headers).toMatchObject({
      etag: headers['etag'],
      'content-length': headers['content-length'],
      'content-type': headers['content-type'],
    });
    await request(app.url)
      .head(`${start}unread.atom`)
      .set('If-None-Match', headers['etag']!)
      .expect(304);
  });
});
