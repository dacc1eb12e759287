import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';

import type { Browser, Page } from 'playwright-core';

import { launchChromium } from '../support/chromium.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const EVIL = 'evil.example.com';
const PERSON = { name: 'Eve', email: 'eve@example.com', password: 'a long pass phrase' };

let app: TestApp;
let browser: Browser;
/** The website of the stranger. */
let stranger: Server;
/** The address to which the domain of the stranger points: first the stranger, then the service. */
let domain: ReturnType<typeof createTcpServer>;
let page: Page;
let target: number;

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  app = await aTestApp();
  browser = await launchChromium(`--host-resolver-rules=MAP ${EVIL} 127.0.0.1`);
  stranger = createServer((_request, response) => {
    // The next request needs another connection, because the domain then points to the service.
    response.writeHead(200, { 'Content-Type': 'text/html', Connection: 'close' });
    response.end('<!doctype html><title>Win</title>');
  });
  domain = createTcpServer((socket) => {
    const other = connect(target, '127.0.0.1');
    socket.on('error', () => other.destroy()).pipe(other);
    other.on('error', () => socket.destroy()).pipe(socket);
  });
  for (const server of [stranger, domain]) {
    await new Promise<void>((resolve) =>
      server.listen(0, '127.0.0.1', () => {
        resolve();
      }),
    );
  }
});
afterAll(async () => {
  await browser.close();
  stranger.close();
  domain.close();
  await app.close();
});
beforeEach(async () => {
  await app.database.query('DELETE FROM users');
  target = portOf(stranger);
  page = await browser.newPage();
  await page.goto(`http://${EVIL}:${portOf(domain)}/`);
  expect(await page.title()).toBe('Win');
});
afterEach(() => page.close());

const users = (): Promise<unknown[]> => app.database.query('SELECT email, role FROM users');

describe('the script of a stranger', () => {
  it('cannot create the first account after the domain of its page points to the service', async () => {
    target = Number(new URL(app.url).port);

    const statuses = await page.evaluate<number[]>(`(async () => {
      const person = ${JSON.stringify(PERSON)};
      const opened = await fetch('/auth/register');
      const form = new DOMParser().parseFromString(await opened.text(), 'text/html').forms[0];
      const hidden = form === undefined ? [] : [...new FormData(form)];
      const body = new URLSearchParams({ ...Object.fromEntries(hidden), ...person });
      const sent = await fetch('/auth/register', { method: 'POST', body });
      const called = await fetch('/register', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...person, email: 'mallory@example.com' }),
      });
      return [opened, sent, called].map(({ status }) => status);
    })()`);

    expect(await users()).toEqual([]);
    expect(statuses).toEqual([421, 421, 421]);
  });

  it('cannot create the first account by a call to the address of the service', async () => {
    const answer = await page.evaluate<[number, string]>(`fetch('${app.url}/register', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(${JSON.stringify(PERSON)}),
    }).then(async (response) => [response.status, (await response.json()).code])`);

    expect(await users()).toEqual([]);
    expect(answer).toEqual([403, 'registration_closed']);
  });
});
