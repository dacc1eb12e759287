import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { headlines } from '../support/headlines.mjs';
import { aVisitor } from '../support/oauth-api.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { receivedBytes } from '../support/received-bytes.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
  api = await ReadingListApi.of(app);
  await api.send(headlines(40).map((item) => ({ action: 'add', ...item }))).expect(200);
});
afterAll(() => app.close());

/** Requests a path as a browser of the user. Returns the bytes as sent, without decompressing them. */
const received = (path: string, headers: Record<string, string> = {}, { url } = app) => {
  const own = { Cookie: api.user.cookie, Accept: 'text/html', 'Accept-Encoding': 'gzip, br' };
  return receivedBytes(`${url}${path}`, { ...own, ...headers });
};

/** The masked tokens and the second of the response differ. */
const withoutChangingValues = (html: Buffer): string =>
  html.toString().replaceAll(/(?<=name="(?:_csrf|shown)" value=")[^"]*/g, '');

describe('the page of a list', () => {
  it.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, *', 'gzip', gunzipSync],
  ])('is compressed as the browser accepts it: %s', async (accepted, encoding, decoded) => {
    const plain = await received('/list', { 'Accept-Encoding': 'identity' });

    const sent = await received('/list', { 'Accept-Encoding': accepted });

    expect(sent.headers['content-encoding']).toBe(encoding);
    expect(sent.headers.vary).toContain('Accept-Encoding');
    expect(withoutChangingValues(decoded(sent.bytes))).toBe(withoutChangingValues(plain.bytes));
    expect(sent.bytes.length).toBeLessThan(plain.bytes.length / 5);
  });

  it.each([
    ['a browser that accepts no encoding', { 'Accept-Encoding': 'identity' }],
    ['a request of another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a request of another subdomain', { 'Sec-Fetch-Site': 'same-site' }],
  ])('is not compressed for %s', async (_, headers) => {
    const sent = await received('/list', headers);

    expect(sent.headers['content-encoding']).toBeUndefined();
    expect(sent.bytes.toString()).toContain('<!doctype html>');
  });

  it.each(['none', 'same-origin'])(
    'is compressed for a request with Sec-Fetch-Site: %s',
    async (site) => {
      const sent = await received('/list', { 'Sec-Fetch-Site': site });

      expect(sent.headers['content-encoding']).toBe('br');
    },
  );
});

it.each(['/list/offline.json', '/openapi.json', '/docs/swagger-ui.css', '/account'])(
  'a text of the web UI is compressed: %s',
  async (path) => {
    const sent = await received(path);

    expect(sent.headers['content-encoding']).toBe('br');
  },
);

it.each([
  ['a call of the v3 API', () => `/v3/get?${new URLSearchParams(api.credentials).toString()}`],
  ['a call of the wallabag API', () => '/wallabag/api/info'],
  ['a book', () => '/list/export.epub'],
  ['a picture', () => '/pages/icon-512.png'],
  ['a short response', () => '/ready'],
  ['a file for people', () => '/highlights/markdown'],
])('%s is not compressed', async (_, path) => {
  const sent = await received(path());

  expect(sent.headers['content-encoding']).toBeUndefined();
});

it('an export is not compressed', async () => {
  const visitor = await aVisitor(app, api.user);
  const form = await visitor.form('/account/data', '/account/export');

  const file = await visitor.submit(form, { format: 'netscape' }).expect(200);

  expect(file.text).toContain(headlines(1)[0]?.title);
  expect(file.headers['content-disposition']).toContain('attachment');
  expect(file.headers['content-encoding']).toBeUndefined();
});

describe('a service with TLS', () => {
  let secure: TestApp;

  beforeAll(async () => {
    secure = await aTestApp({ config: { publicUrl: new URL('https://satchel.example/') } });
  });
  afterAll(() => secure.close());

  it.each([
    ['compresses a page for its own pages', { 'Sec-Fetch-Site': 'same-origin' }, 'br'],
    ['does not compress a page if the browser does not name the site', {}, undefined],
    ['does not compress a page for another site', { 'Sec-Fetch-Site': 'cross-site' }, undefined],
  ])('%s', async (_, headers, encoding) => {
    const sent = await received('/welcome', headers, secure);

    expect(sent.bytes.length).toBeGreaterThan(0);
    expect(sent.headers['content-encoding']).toBe(encoding);
  });
});
