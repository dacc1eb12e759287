import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';

import express, { type Response } from 'express';

import { endWhenStalled } from './stalled-clients.js';

const LIMIT_MS = 50;
const LARGE = Buffer.alloc(32 * 1024 ** 2);

let client: Socket;
let end: () => Promise<unknown>;

/** Returns the response to a client that reads nothing until it is told to. */
async function aResponse(): Promise<Response> {
  const app = express();
  const server = app.listen(0);
  await once(server, 'listening');
  const response = new Promise<Response>((resolve) => {
    app.use((_, answer) => {
      endWhenStalled(answer, LIMIT_MS);
      resolve(answer);
    });
  });
  client = connect((server.address() as AddressInfo).port).pause();
  client.on('error', () => undefined);
  client.write('GET / HTTP/1.1\r\nHost: satchel\r\n\r\n');
  end = () => {
    client.destroy();
    return once(server.close(), 'close');
  };
  return response;
}

afterEach(() => end());

it('keeps a client that has read everything, while the service prepares more', async () => {
  const response = await aResponse();
  client.resume();
  response.write('first');

  await once(response, 'timeout');
  await once(response, 'timeout');

  expect(response.destroyed).toBe(false);
  response.end('last');
  await once(response, 'finish');
});

it('disconnects if the service sends nothing for much longer', async () => {
  const response = await aResponse();
  client.resume();
  response.write('first');

  await once(response, 'close');

  expect(response.writableEnded).toBe(false);
});

it('waits again after each part of the response', async () => {
  const response = await aResponse();
  client.resume();

  for (let parts = 0; parts < 3; parts += 1) {
    response.write('part');
    await once(response, 'timeout');
    await once(response, 'timeout');
  }

  expect(response.destroyed).toBe(false);
});

it.each([
  ['while more follows', (response: Response) => response.write(LARGE)],
  ['at the end of the response', (response: Response) => response.end(LARGE)],
])('disconnects a client that stops reading %s', async (_, send) => {
  const response = await aResponse();
  const closed = once(response, 'close');

  send(response);

  await closed;
  client.resume();
  await once(client, 'close');
  expect(client.bytesRead).toBeLessThan(LARGE.length);
});
