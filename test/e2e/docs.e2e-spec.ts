import request from 'supertest';

import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

const directives = (policy: string): Map<string, string[]> =>
  new Map(
    policy.split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(' ');
      return [name, sources];
    }),
  );

describe('GET /docs', () => {
  it('returns a page that loads all its resources from this service', async () => {
    const { text } = await request(app.url)
      .get('/docs')
      .expect(200)
      .expect('content-type', 'text/html; charset=utf-8');

    const parts = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '');
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) {
      expect(part).toMatch(/^\/docs\//);
      await request(app.url).get(part).expect(200);
    }
    expect(text).not.toMatch(/https?:\/\//);
  });

  it('allows only scripts of this service and no frames in its Content-Security-Policy', async () => {
    const { headers } = await request(app.url).get('/docs').expect(200);

    const policy = directives(headers['content-security-policy'] ?? '');
    expect(policy.get('default-src')).toEqual([`'none'`]);
    expect(policy.get('script-src')).toEqual([`'self'`]);
    expect(policy.get('style-src')).toEqual([`'self'`]);
    expect(policy.get('connect-src')).toEqual([`'self'`]);
    expect(policy.get('frame-ancestors')).toEqual([`'none'`]);
    expect([...policy.values()].flat().filter((source) => /unsafe|^\*|:\/\//.test(source))).toEqual(
      [],
    );
  });

  it('contains no inline script', async () => {
    const { text } = await request(app.url).get('/docs').expect(200);

    expect(text).not.toMatch(/<script(?![^>]*src=)|\son\w+=|javascript:/i);
  });

  it('loads the OpenAPI document of this service', async () => {
    const { text } = await request(app.url)
      .get('/docs/start.js')
      .expect(200)
      .expect('content-type', 'text/javascript; charset=utf-8');

    expect(text).toContain(`url: '/openapi.json'`);
    expect(text).not.toMatch(/https?:\/\//);
  });

  it.each([
    ['/docs/swagger-ui-bundle.js', /^text\/javascript/],
    ['/docs/swagger-ui.css', /^text\/css/],
    ['/docs/favicon-32x32.png', /^image\/png/],
  ])('serves %s from the installed package', async (path, type) => {
    const { headers } = await request(app.url)
      .get(path)
      .set('Accept-Encoding', 'identity')
      .expect(200)
      .expect('content-type', type);

    expect(Number(headers['content-length'])).toBeGreaterThan(500);
    expect(headers['cache-control']).toBe('no-store');
  });

  it.each([
    '/docs/package.json',
    '/docs/index.html',
    '/docs/swagger-ui.js',
    '/docs/..%2fpackage.json',
    '/docs/%2e%2e/package.json',
    '/docs/__proto__',
  ])('returns 404 for %s', (path) => request(app.url).get(path).expect(404));
});

describe.each(['/openapi.json', '/docs', '/docs/swagger-ui.css'])('%s', (path) => {
  it('returns the content type of GET for HEAD, without a body', async () => {
    const got = await request(app.url).get(path).expect(200);

    const { headers, text } = await request(app.url).head(path).expect(200);

    expect(text).toBeFalsy();
    expect(headers['content-type']).toBe(got.headers['content-type']);
  });

  it.each([
    ['post', 404],
    ['put', 405],
    ['delete', 405],
  ] as const)('rejects %s', async (method, status) => {
    await request(app.url)[method](path).expect(status);
  });

  it('has the security headers of every response', async () => {
    const { headers } = await request(app.url).get(path).expect(200);

    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'x-frame-options': 'DENY',
    });
    expect(headers['content-security-policy']).toMatch(/default-src 'none'/);
    expect(headers['etag']).toBeUndefined();
    expect(headers['last-modified']).toBeUndefined();
  });
});
