import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import request from 'supertest';

import { aVisitor } from '../support/oauth-api.js';
import { PageVisitor } from '../support/page-visitor.js';
import { receivedBytes } from '../support/received-bytes.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const ASSET = /\/pages\/[\w.-]+/g;
const IMPORT = /(?:from|import)\s*\(?["']\.\/([\w.-]+)["']/g;
const HASHED = /^\/pages\/[\w-]+\.[\da-f]{10}\.\w+$/;
const UNCHANGING = 'max-age=31536000, immutable';

let app: TestApp;
let ada: PageVisitor;

beforeAll(async () => {
  app = await aTestApp();
  ada = await aVisitor(app);
});
afterAll(() => app.close());

/** Returns the addresses of the assets in a page. */
async function assetsOf(path: string, visitor = ada): Promise<string[]> {
  const { text } = await visitor.open(path).expect(200);
  return [...new Set(text.match(ASSET))];
}

const received = (path: string, headers: Record<string, string>) =>
  receivedBytes(`${app.url}${path}`, headers);

const DECODED: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  none: (bytes) => bytes,
};

describe('the assets of a page', () => {
  it.each(['/', '/list', '/save', '/account', '/offline', '/highlights', '/wallabag'])(
    'have names with hashes, which browsers keep: %s',
    async (path) => {
      const assets = await assetsOf(path, path === '/' ? new PageVisitor(app) : ada);

      expect(assets.length).toBeGreaterThan(0);
      expect(assets.filter((asset) => !HASHED.test(asset))).toEqual([]);
      for (const asset of assets) {
        const { headers } = await request(app.url).get(asset).expect(200);
        expect([asset, headers['cache-control']]).toEqual([asset, UNCHANGING]);
      }
    },
  );

  it.each(['/list', '/offline', '/service-worker.js'])(
    'of %s import modules whose names have hashes',
    async (start) => {
      const { text } = await ada.open(start).buffer(true).expect(200);
      const waiting = start.endsWith('.js')
        ? [...text.matchAll(/'\.(\/pages\/[\w.-]+)'/g)].map(([, path = '']) => path)
        : (await assetsOf(start)).filter((path) => path.endsWith('.js'));
      expect(waiting.length).toBeGreaterThan(0);
      for (const path of waiting) {
        const module = await request(app.url).get(path).buffer(true).expect(200);
        expect([path, module.headers['cache-control']]).toEqual([path, UNCHANGING]);
        const imported = [...module.text.matchAll(IMPORT)].map(([, name = '']) => `/pages/${name}`);
        waiting.push(...imported.filter((name) => !waiting.includes(name)));
      }
    },
  );

  it.each(['/list', '/highlights', '/account', '/offline'])(
    'of %s contain at most two style sheets, which import no others and name fonts with hashes',
    async (page) => {
      const paths = (await assetsOf(page)).filter((path) => path.endsWith('.css'));
      const sheets = await Promise.all(
        paths.map((path) => request(app.url).get(path).buffer(true).expect(200)),
      );
      const css = sheets.map(({ text }) => text).join('');
      const fonts = css.match(/[\w.-]+\.woff2/g) ?? [];

      expect(paths.length).toBeLessThanOrEqual(2);
      expect(css).not.toContain('@import');
      expect(fonts.length).toBe(page === '/highlights' ? 5 : 0);
      expect(fonts.filter((font) => !HASHED.test(`/pages/${font}`))).toEqual([]);
    },
  );

  it.each(['list.js', 'list.0123456789.js', 'keys.js', 'style.css', 'text.js', 'icon-192.png'])(
    'are also served under the name of an earlier version, but revalidated: %s',
    async (name) => {
      const visit = () => request(app.url).get(`/pages/${name}`).buffer(true);

      const { headers } = await visit().expect(200);
      const again = await visit().set('If-None-Match', String(headers['etag']));

      expect(headers['cache-control']).toBe('no-cache');
      expect(again.status).toBe(304);
    },
  );

  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', undefined],
    ['', undefined],
  ])('are compressed as the browser accepts it: %s', async (accepted, encoding) => {
    const [style = ''] = await assetsOf('/list');

    const plain = await received(style, { 'Accept-Encoding': 'identity' });
    const sent = await received(style, { 'Accept-Encoding': accepted });

    expect(sent.headers['content-encoding']).toBe(encoding);
    expect(sent.headers.vary).toContain('Accept-Encoding');
    expect(DECODED[encoding ?? 'none']?.(sent.bytes)).toEqual(plain.bytes);
    expect(sent.headers.etag === plain.headers.etag).toBe(encoding === undefined);
    expect(sent.bytes.length <= plain.bytes.length / 2).toBe(encoding !== undefined);
  });

  it('have only the headers that browsers need for assets', async () => {
    const [style = ''] = await assetsOf('/list');

    const { headers } = await received(style, {});

    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    for (const name of ['content-security-policy', 'x-frame-options', 'x-request-id']) {
      expect(headers).not.toHaveProperty(name);
    }
  });

  it('do not exist under other names', async () => {
    for (const name of ['nothing.js', 'list', '..%2fpages.js', 'constructor', 'script-key.d.ts']) {
      await request(app.url).get(`/pages/${name}`).expect(404);
    }
  });
});

describe('GET /favicon.ico', () => {
  it('returns an icon', async () => {
    const { status, headers, bytes } = await received('/favicon.ico', {});

    expect([status, headers['content-type']]).toEqual([200, 'image/x-icon']);
    expect(bytes.subarray(0, 4)).toEqual(Buffer.from([0, 0, 1, 0]));
  });
});
