import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

import express from 'express';

import { bodyDeadline } from './body-deadline.js';

const DEADLINE_MS = 50;

let server: Server;

beforeAll(async () => {
  const app = express();
  app.use(bodyDeadline(['/upload'], DEADLINE_MS));
  app.use((request) => {
    request.resume();
  });
  server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** What comes back for a body of which half is sent; nothing when the deadline is long over. */
function answerTo(path: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf`);
    });
    const waiting = setTimeout(() => socket.destroy(), DEADLINE_MS * 6);
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('close', () => {
      clearTimeout(waiting);
      resolve(text);
    });
  });
}

const bodyOf = (answer: string): unknown => JSON.parse(answer.split('\r\n\r\n')[1] ?? '');

describe('a body that does not end in time', () => {
  it('is refused in the dialect of its path, and is the end of the connection', async () => {
    const [account, v3] = await Promise.all([answerTo('/login'), answerTo('/v3/get')]);

    expect(account).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(account).toMatch(/^Connection: close/m);
    expect(bodyOf(account)).toMatchObject({ statusCode: 408, code: 'request_timeout' });
    expect(v3).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(v3).toMatch(/^x-error-code: 130\r$/m);
    expect(bodyOf(v3)).toMatchObject({ status: 0, code: 130 });
  });

  it.each(['/upload', '/upload/'])('is waited for at %s, where files are taken', async (path) => {
    expect(await answerTo(path)).toBe('');
  });
});
