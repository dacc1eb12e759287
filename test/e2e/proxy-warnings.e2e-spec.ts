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
  it('logs one warning if the proxy does not send X-Forwarded-Proto', async () => {
    app = await aTestApp({ config: { publicUrl: PUBLIC_URL, trustProxy: ['127.0.0.1'] } });

    await get('/auth/login');
    await get('/list', { 'X-Forwarded-For': '203.0.113.1' });

    expect(warningsWith(app, 'X-Forwarded-Proto')).toEqual([
      expect.stringMatching(
        /^X-Forwarded-Proto: the proxy 127\.0\.0\.1 does not send it.*PUBLIC_URL/,
      ),
    ]);
  });

  it('logs one warning if the proxy sends http', async () => {
    app = await aTestApp({ config: { publicUrl: PUBLIC_URL, trustProxy: 1 } });

    await get('/auth/login', { 'X-Forwarded-Proto': 'http' });
    await get('/auth/login', { 'X-Forwarded-Proto': 'http' });

    expect(warningsWith(app, 'X-Forwarded-Proto')).toEqual([
      expect.stringContaining('sends another protocol than https'),
    ]);
  });

  it('logs one warning if TRUST_PROXY does not list the proxy', async () => {
    app = await aTestApp({ config: { publicUrl: PUBLIC_URL, trustProxy: ['10.0.0.0/8'] } });

    await get('/auth/login', { 'X-Forwarded-Proto': 'https' });
    await get('/auth/login', { 'X-Forwarded-Proto': 'https' });

    expect(warningsWith(app, 'X-Forwarded-Proto')).toEqual([
      expect.stringContaining('it comes from 127.0.0.1, which TRUST_PROXY does not list'),
    ]);
  });

  it('logs no warning if a trusted proxy sends the header, or for health checks', async () => {
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

describe('the header that FORWARD_AUTH_HEADER names', () => {
  const headers = { 'Remote-Email': 'ada@example.com' };

  it('is ignored from outside TRUST_PROXY, with one warning that does not contain its value', async () => {
    const trustProxy = ['10.0.0.0/8'];
    app = await aTestApp({ config: { trustProxy, forwardAuthHeader: 'remote-email' } });

    await get('/list', headers);
    await get('/list', headers);

    expect(warningsWith(app, 'FORWARD_AUTH_HEADER')).toEqual([
      'FORWARD_AUTH_HEADER: remote-email comes from 127.0.0.1, which TRUST_PROXY does not list. The header is ignored',
    ]);
    expect(app.log()).not.toContain('ada@');
  });

  it('is accepted from a network of TRUST_PROXY without a warning', async () => {
    const trustProxy = ['127.0.0.0/8'];
    app = await aTestApp({ config: { trustProxy, forwardAuthHeader: 'remote-email' } });

    expect(await get('/list', headers)).toBe(200);
    expect(warningsWith(app, 'FORWARD_AUTH_HEADER')).toEqual([]);
  });
});
