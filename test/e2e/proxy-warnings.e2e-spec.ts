import { request } from 'node:http';

import { warningsWith } from '../support/log-lines.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PUBLIC_URL = new URL('https://satchel.example.com');

let app: TestApp;
afterEach(() => app.close());

/** Returns the status of a direct request from this machine. */
const get = (path: string, headers: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    request(new URL(path, app.url), { headers }, (response) => {
      response.resume().on('end', () => {
        resolve(response.statusCode ?? 0);
      });
    })
      .on('error', reject)
      .end();
  });

describe('PUBLIC_URL with https', () => {
  it('and a proxy without X-Forwarded-Proto is one warning', async () => {
    app = await aTestApp({ config: { publicUrl: PUBLIC_URL, trustProxy: ['127.0.0.1'] } });

    await get('/auth/login');
    await get('/list', { 'X-Forwarded-For': '203.0.113.1' });

    expect(warningsWith(app, 'X-Forwarded-Proto')).toEqual([
      expect.stringMatching(
        /^X-Forwarded-Proto: the proxy 127\.0\.0\.1 does not send it.*PUBLIC_URL/,
      ),
    ]);
  });

  it('and a proxy that sends http is one warning', async () => {
    app = await aTestApp({ config: { publicUrl: PUBLIC_URL, trustProxy: 1 } });

    await get('/auth/login', { 'X-Forwarded-Proto': 'http' });
    await get('/auth/login', { 'X-Forwarded-Proto': 'http' });

    expect(warningsWith(app, 'X-Forwarded-Proto')).toEqual([
      expect.stringContaining('sends another protocol than https'),
    ]);
  });

  it('and a proxy that TRUST_PROXY does not list is one warning', async () => {
    app = await aTestApp({ config: { publicUrl: PUBLIC_URL, trustProxy: ['10.0.0.0/8'] } });

    await get('/auth/login', { 'X-Forwarded-Proto': 'https' });
    await get('/auth/login', { 'X-Forwarded-Proto': 'https' });

    expect(warningsWith(app, 'X-Forwarded-Proto')).toEqual([
      expect.stringContaining('it comes from 127.0.0.1, which TRUST_PROXY does not list'),
    ]);
  });

  it('is no warning with the header from a network of TRUST_PROXY, or for health checks', async () => {
    app = await aTestApp({ config: { publicUrl: PUBLIC_URL, trustProxy: ['127.0.0.0/8'] } });

    await get('/health');
    await get('/ready');
    await get('/auth/login', { 'X-Forwarded-Proto': 'https' });

    expect(warningsWith(app, 'X-Forwarded-Proto')).toEqual([]);
  });
});

it('PUBLIC_URL without https needs no X-Forwarded-Proto', async () => {
  app = await aTestApp({ config: { publicUrl: new URL('http://satchel.lan') } });

  await get('/auth/login');

  expect(warningsWith(app, 'X-Forwarded-Proto')).toEqual([]);
});

describe('the header of FORWARD_AUTH_HEADER', () => {
  const headers = { 'Remote-Email': 'ada@example.com' };

  it('from outside TRUST_PROXY is ignored, with one warning and without its value', async () => {
    const trustProxy = ['10.0.0.0/8'];
    app = await aTestApp({ config: { trustProxy, forwardAuthHeader: 'remote-email' } });

    await get('/list', headers);
    await get('/list', headers);

    expect(warningsWith(app, 'FORWARD_AUTH_HEADER')).toEqual([
      'FORWARD_AUTH_HEADER: remote-email comes from 127.0.0.1, which TRUST_PROXY does not list. The header is ignored',
    ]);
    expect(app.log()).not.toContain('ada@');
  });

  it('from a network of TRUST_PROXY is no warning', async () => {
    const trustProxy = ['127.0.0.0/8'];
    app = await aTestApp({ config: { trustProxy, forwardAuthHeader: 'remote-email' } });

    expect(await get('/list', headers)).toBe(200);
    expect(warningsWith(app, 'FORWARD_AUTH_HEADER')).toEqual([]);
  });
});
