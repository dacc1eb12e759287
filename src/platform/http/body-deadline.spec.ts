import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

import express from 'express';

import { POCKET_PROTOCOL } from '../../pocket-api/pocket-protocol.js';
import { bodyDeadline } from './body-deadline.js';
import { registerProtocol } from './protocols.js';

const PERIOD = { periodMs: 50, mostLarge: 2 };

let server: Server;
/** A server that refuses large bodies only if there are too many of them, because they may arrive at any speed. */
let patient: Server;
/** Emits an event with the path of each request that arrives. */
let arrivals: EventEmitter;

async function serving(bytesPerPeriod: number): Promise<Server> {
  const app = express();
  app.use(bodyDeadline({ uploads: ['/upload'], large: ['/large'] }, { ...PERIOD, bytesPerPeriod }));
  app.use((request) => {
    request.resume();
    arrivals.emit(request.path);
  });
  const started = createServer(app).listen(0, '127.0.0.1');
  await once(started, 'listening');
  return started;
}

beforeAll(async () => {
  registerProtocol(POCKET_PROTOCOL);
  arrivals = new EventEmitter();
  [server, patient] = [await serving(1_000_000), await serving(0)];
});
afterAll(() => {
  for (const one of [server, patient]) {
    one.closeAllConnections();
    one.close();
  }
});

/** Sends the headers and half the body of a request. */
class Half {
  text = '';
  private readonly socket: Socket;

  constructor(path: string, type = 'application/json', to = server) {
    const { port } = to.address() as AddressInfo;
    this.socket = connect(port, '127.0.0.1', () => {
      this.socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 10\r\n\r\nhalf`,
      );
    });
    this.socket.on('data', (chunk) => {
      this.text += chunk.toString();
    });
  }

  close(): void {
    this.socket.destroy();
  }

  /** Returns the response after the service has closed the connection. */
  async answer(): Promise<string> {
    await once(this.socket, 'close');
    return this.text;
  }
}

const bodyOf = (answer: string): unknown => JSON.parse(answer.split('\r\n\r\n')[1] ?? '');

describe('a body that does not end in time', () => {
  it('is refused in the dialect of its path, and is the end of the connection', async () => {
    const halves = ['/login', '/v3/get'].map((path) => new Half(path));
    const [account = '', v3 = ''] = await Promise.all(halves.map((half) => half.answer()));

    expect(account).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(account).toMatch(/^Connection: close/m);
    expect(bodyOf(account)).toMatchObject({ statusCode: 408, code: 'request_timeout' });
    expect(v3).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(v3).toMatch(/^x-error-code: 130\r$/m);
    expect(bodyOf(v3)).toMatchObject({ status: 0, code: 130 });
  });

  it('is refused where files are taken, too, when it can have none', async () => {
    expect(await new Half('/upload').answer()).toMatch(/^HTTP\/1\.1 408 /);
  });

  it.each(['/upload', '/upload/'])('is waited for at %s, where files are taken', async (path) => {
    const arrived = once(arrivals, path);
    const upload = new Half(path, 'multipart/form-data; boundary=x');
    await arrived;

    // If the upload had a time limit, it would end before the second of these requests gets its response.
    await new Half('/login').answer();
    await new Half('/login').answer();

    expect(upload.text).toBe('');
  });

  it('is refused if it is large, and arrives too slowly', async () => {
    expect(await new Half('/large').answer()).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('is waited for if it is large and arrives fast enough, but only for some at once', async () => {
    const large = Array.from({ length: 3 }, () => new Half('/large', 'application/json', patient));

    const refused = await Promise.race(large.map((one) => one.answer()));
    // If the others had no more time, they would end before the second of these requests gets its response.
    await new Half('/login', 'application/json', patient).answer();
    await new Half('/login', 'application/json', patient).answer();

    expect(refused).toMatch(/^HTTP\/1\.1 408 /);
    expect(large.map(({ text }) => text).filter((text) => text === '')).toHaveLength(2);
    large.forEach((one) => {
      one.close();
    });
  });
});
