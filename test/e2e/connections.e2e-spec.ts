import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import request from 'supertest';

import { BodyBudget, BUDGET_BYTES, SMALL_BYTES } from '../../src/platform/http/body-budget.js';
import { Public } from '../../src/platform/http/public.js';
import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

/** More than the buffers of two sockets on one machine. */
const LARGE = Buffer.alloc(32 * 1024 * 1024, 'x');
const WAITING = 3;
const REFUSED = 1000;

const runs = new EventEmitter();
let count = 0;

@Public()
@Controller('probe')
class ProbeController {
  @Get('small/:name')
  small(@Param('name') name: string, @Res() response: Response): void {
    count += 1;
    response.send(name);
  }

  @Get('large')
  large(@Res() response: Response): void {
    count += 1;
    response.set('Content-Length', String(LARGE.length)).end(LARGE);
  }

  @Get('late')
  late(@Res() response: Response): void {
    runs.emit('late', response);
  }
}

/** Opens a paused connection. */
async function aConnection(app: TestApp): Promise<Socket> {
  const accepted = once(app.app.getHttpServer(), 'connection');
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1').pause();
  socket.on('error', () => undefined);
  await accepted;
  return socket;
}

const get = (path: string): string => `GET /probe/${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

async function read(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  socket.resume();
  await once(socket, 'close');
  return text;
}

const bodiesIn = (text: string): string[] =>
  text
    .split('HTTP/1.1 200 OK')
    .slice(1)
    .map((answer) => answer.split('\r\n\r\n')[1] ?? '');

describe('a connection', () => {
  let app: TestApp;
  let server: EventEmitter;

  const inUse = (): Promise<number> =>
    new Promise((resolve, reject) => {
      app.app.getHttpServer().getConnections((error: Error | null, open: number) => {
        if (error === null) {
          resolve(open);
        } else {
          reject(error);
        }
      });
    });

  const unused = async (): Promise<void> => {
    while ((await inUse()) > 0) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  beforeAll(async () => {
    app = await aTestApp({
      controllers: [ProbeController],
      connections: { waitingRequests: WAITING, refusedRequests: REFUSED, unreadMs: 300 },
    });
    server = app.app.getHttpServer();
  });
  beforeEach(() => {
    count = 0;
  });
  afterAll(() => app.close());

  it('runs one request and is closed if the client does not read the response', async () => {
    const socket = await aConnection(app);
    socket.write(get('large').repeat(1000));

    await unused();

    expect(count).toBe(1);
  });

  it('returns the responses in the order of the requests', async () => {
    const socket = await aConnection(app);
    socket.write(['a', 'b', 'c'].map((name) => get(`small/${name}`)).join(''));
    socket.end();

    expect(bodiesIn(await read(socket))).toEqual(['a', 'b', 'c']);
  });

  it('is closed after the last allowed response if the client pipelines too many requests', async () => {
    const names = Array.from({ length: 1000 }, (_, n) => `small/${n}`);
    const socket = await aConnection(app);
    socket.write(names.map(get).join(''));

    const text = await read(socket);

    expect(bodiesIn(text)).toEqual(['0', '1', '2', '3']);
    expect(text.match(/^Connection: close/gim)).toHaveLength(1);
    expect(count).toBe(1 + WAITING);
  });

  it('is closed without a response if too many requests arrive while one is in progress', async () => {
    const running = once(runs, 'late');
    const socket = await aConnection(app);
    socket.write(get('late'));
    const [response] = (await running) as [Response];

    socket.write(get('small/a').repeat(1 + WAITING + REFUSED));
    const text = await read(socket);
    response.send('to nobody');

    expect(text).toBe('');
    expect(count).toBe(0);
  });

  it('stays open while the service processes a slow request', async () => {
    const running = once(runs, 'late');
    const socket = await aConnection(app);
    socket.write(get('late'));
    const [response] = (await running) as [Response];
    await once(server, 'timeout');
    response.set('Connection', 'close').send('at last');

    expect(bodiesIn(await read(socket))).toEqual(['at last']);
  });

  it('counts the received bytes of a compressed body, and returns 503 when the budget is used up', async () => {
    const budget = app.app.get(BodyBudget);
    const others = new EventEmitter();
    const giveBack = budget.watch(others as Request, () => undefined);
    const bomb = gzipSync(Buffer.alloc(7_900_000, ' '), { level: 1 });
    others.emit('data', Buffer.alloc(BUDGET_BYTES - bomb.length - 1000));
    const head = `POST /v3/send HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length + 9000}\r\n\r\n`;

    const first = await aConnection(app);
    first.write(Buffer.concat([Buffer.from(head), bomb]));
    const second = await aConnection(app);
    second.write(Buffer.concat([Buffer.from(head), bomb]));

    const answers = await Promise.race([read(first), read(second)]);
    await request(app.url).post('/v3/get').send({ search: 'small' }).expect(400);
    giveBack();
    expect(bomb.length).toBeGreaterThan(SMALL_BYTES);
    expect(answers).toMatch(/^HTTP\/1\.1 503 /);
    expect(answers).toMatch(/^Retry-After: 1\r$/im);
    expect(answers).toMatch(/^x-error-code: 199\r$/im);
    first.destroy();
    second.destroy();
    await unused();
    await request(app.url).post('/v3/send').send({}).expect(400);
    expect(app.log()).not.toContain('database_unavailable');
  });

  it('returns 408 if an upload stalls, and the partial import is deleted', async () => {
    const api = await ReadingListApi.of(app);
    const query = new URLSearchParams(api.credentials).toString();
    const socket = await aConnection(app);
    socket.write(
      `POST /v3/import?${query} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n` +
        'Content-Type: multipart/form-data; boundary=x\r\n\r\n' +
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhttps://a',
    );

    expect(await read(socket)).toMatch(/^HTTP\/1\.1 408 /);
    const list = () => request(app.url).get('/v3/import').query(api.credentials);
    while ((await list()).body.imports.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
});

describe('a service that shuts down', () => {
  it('completes a response that is already being sent', async () => {
    const app = await aTestApp({ controllers: [ProbeController] });
    const socket = await aConnection(app);
    count = 0;
    socket.write(get('large'));
    await until(() => count === 1);

    const closing = app.close();
    await until(() => !app.app.getHttpServer().listening);
    const [body = ''] = bodiesIn(await read(socket));
    await closing;

    expect(body.length).toBe(LARGE.length);
  });
});
