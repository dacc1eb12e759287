import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';

import { proxiedFetch } from '../../src/platform/fetching/proxied-fetch.js';
import { PAGE_TLS, TEST_AUTHORITIES, TestProxy } from '../support/a-proxy.js';

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve((server.address() as AddressInfo).port);
    });
  });

const call = {
  ...{ method: 'POST', redirect: 'manual' as const },
  headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({ code: 'a b' }),
};

/** An issuer at a private address. It is allowed because the operator configures it. */
const answer: Parameters<typeof createServer>[1] = (request, response) => {
  let body = '';
  request
    .on('data', (chunk: Buffer) => (body += chunk.toString()))
    .on('end', () =>
      response.writeHead(401, { 'www-authenticate': 'Basic' }).end(JSON.stringify({ body })),
    );
};

it.each(['http', 'https', 'socks5'] as const)(
  'a proxy (%s) receives the requests to an OIDC issuer',
  async (kind) => {
    const server = createHttpsServer(PAGE_TLS, answer);
    const port = await listen(server);
    const proxy = await TestProxy.start(kind, { resolvesTo: '127.0.0.1' });
    const proxies = { http: proxy.url(), https: proxy.url(), exceptions: [] };

    const fetchIssuer = proxiedFetch(proxies, TEST_AUTHORITIES);
    const response = await fetchIssuer(`https://page.example:${port}/token`, call);

    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Basic']);
    expect(await response.json()).toEqual({ body: 'code=a+b' });
    expect(proxy.calls.map(({ target }) => target)).toEqual([`page.example:${port}`]);
    proxy.stop();
    server.close();
  },
);

it('requests to an OIDC issuer on this machine without TLS bypass the proxy', async () => {
  const server = createServer(answer);
  const port = await listen(server);
  const nowhere = new URL('http://127.0.0.1:1');

  const fetchIssuer = proxiedFetch({ http: nowhere, https: nowhere, exceptions: [] });
  const response = await fetchIssuer(`http://127.0.0.1:${port}/token`, call);

  expect(await response.json()).toEqual({ body: 'code=a+b' });
  server.close();
});
