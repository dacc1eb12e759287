import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

import express from 'express';

import { uploadBody } from './upload-body.js';

const FILE = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nwords\r\n';
const REFUSED = 'MalformedBodyError';

let server: Server;

beforeAll(async () => {
  const app = express();
  const read = uploadBody(50);
  app.use('/upload', (request, response) => {
    void read(request, response, (error: unknown) => {
      const name = error instanceof Error ? error.constructor.name : 'handled';
      // Sessions and logs read these properties.
      response.status(400).json({ name, isSecure: request.secure, address: request.ip });
    });
  });
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends the beginning of a body. Returns what the service sends until it closes the connection. */
async function answerTo(beginning: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  const head = 'POST /upload HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x';
  socket.write(`${head}\r\nContent-Length: 1000\r\n\r\n${beginning}`);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  await once(socket, 'close');
  return text;
}

describe('an upload that goes wrong while it is sent', () => {
  it.each([
    ['a part whose header is malformed', `--x\r\nContent-Disposition form-data\r\n\r\n`, REFUSED],
    ['a control character in a header', `--x\r\nContent-Disposition: \0\r\n\r\n`, REFUSED],
    ['what comes behind the file', `${FILE}--x\r\nContent-Disposition: \0\r\n\r\n`, 'handled'],
  ])('ends its connection and nothing else: %s', async (_, beginning, name) => {
    const answer = await answerTo(beginning);

    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain(`{"name":"${name}","isSecure":false,"address":"127.0.0.1"}`);
  });

  it.each(['', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nwords'])(
    'is refused when its file does not begin in time: %j',
    async (beginning) => {
      const answer = await answerTo(beginning);

      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(answer).toContain('"code":"request_timeout"');
    },
  );
});
