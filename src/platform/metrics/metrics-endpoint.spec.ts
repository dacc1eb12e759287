import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { metricsListener } from './metrics-endpoint.js';

/** Returns the status of a request to a port of the metrics on this host, with this Host header. */
async function statusOf(host: string, header: string): Promise<number | undefined> {
  const expose = () => Promise.resolve({ contentType: 'text/plain', text: 'up 1' });
  const server = createServer(metricsListener(host, expose)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const request = get({ port, path: '/metrics', headers: { Host: header }, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  server.close();
  return response.statusCode;
}

describe('the port of the metrics', () => {
  it.each(['127.0.0.1:9464', 'localhost:9464', '[::1]:9464'])(
    'on a loopback address answers %s',
    async (header) => {
      expect(await statusOf('127.0.0.1', header)).toBe(200);
    },
  );

  it.each(['evil.com:9464', 'x.lan', 'nas'])(
    'on a loopback address rejects %s, which a website can point to this machine',
    async (header) => {
      expect(await statusOf('127.0.0.1', header)).toBe(421);
      expect(await statusOf('localhost', header)).toBe(421);
    },
  );

  it('on another address answers any name, because monitoring may use one', async () => {
    expect(await statusOf('0.0.0.0', 'satchel.example.com:9464')).toBe(200);
  });
});
