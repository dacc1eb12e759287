import express, { type RequestHandler } from 'express';
import { pino } from 'pino';
import supertest from 'supertest';
import { QueryFailedError } from 'typeorm';

import { createLogger, NestLogger, requestLog } from './logging.js';

const SECRET = 'hunter2';

function aLog(level = 'trace') {
  const lines: string[] = [];
  const logger = createLogger(level, undefined, { write: (line: string) => void lines.push(line) });
  return { logger, lines, nest: new NestLogger(logger) };
}

describe('createLogger', () => {
  it('writes one JSON object a line, with the time, and without machine and process', () => {
    const { logger, lines } = aLog();

    logger.info({ a: 1 }, 'a message');

    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      a: 1,
      msg: 'a message',
    });
  });

  it('keeps hostile text on its line and away from the terminal', () => {
    const { logger, lines } = aLog();

    logger.info('a\r\n{"level":60}\u001b[2J\u2028b');

    expect(lines[0]?.trimEnd()).not.toMatch(/[\r\n\u001b]/);
  });

  it('writes the SQL of a failed query without its values', () => {
    const { logger, lines } = aLog();
    const cause = Object.assign(new Error('duplicate key'), {
      code: '23505',
      detail: `Key (email)=(${SECRET}) already exists.`,
      where: `unnamed portal parameter $1 = '${SECRET}'`,
    });

    logger.error({ err: new QueryFailedError('INSERT INTO users', [SECRET], cause) }, 'failed');

    expect(lines[0]).toContain('duplicate key');
    expect(lines[0]).not.toContain(SECRET);
  });
});

describe('NestLogger', () => {
  it.each([
    ['fatal', 'fatal'],
    ['error', 'error'],
    ['warn', 'warn'],
    ['log', 'debug'],
    ['debug', 'debug'],
    ['verbose', 'trace'],
  ] as const)('hands %s on as %s', (method, level) => {
    const { nest, lines } = aLog();

    nest[method]('a message', 'Somewhere');

    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: pino.levels.values[level],
      context: 'Somewhere',
      msg: 'a message',
    });
  });

  it('keeps the stack of an error', () => {
    const { nest, lines } = aLog();

    nest.error(new Error('broken'), 'Somewhere');

    expect(JSON.parse(lines[0] ?? '').err).toMatchObject({
      message: 'broken',
      stack: expect.stringContaining('logging.spec'),
    });
  });

  it('hands facts on as info', () => {
    const { nest, lines } = aLog('info');

    nest.log({ msg: 'pages', read: 3 }, 'Somewhere');

    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: pino.levels.values.info,
      context: 'Somewhere',
      msg: 'pages',
      read: 3,
    });
  });

  it('says nothing of mounted routes at the usual level', () => {
    const { nest, lines } = aLog('info');

    nest.log('Mapped {/login, POST} route', 'RouterExplorer');

    expect(lines).toEqual([]);
  });
});

/** Returns the log lines of one request to the handler. */
async function linesOf(handle: RequestHandler, path = '/login') {
  const lines: string[] = [];
  const app = express();
  app.use(
    requestLog(
      createLogger('trace', undefined, { write: (line: string) => void lines.push(line) }),
    ),
  );
  app.use(handle);
  const { headers } = await supertest(app)
    .post(path)
    .set({ Authorization: `Bearer ${SECRET}`, Cookie: `session=${SECRET}`, 'X-Request-Id': SECRET })
    .send({ password: SECRET });
  return { lines, headers };
}

const ok: RequestHandler = (_request, response) => void response.sendStatus(204);

describe('requestLog', () => {
  it('writes one line when a request ends', async () => {
    const { lines } = await linesOf(ok);

    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 30,
        req: { method: 'POST', path: '/login', from: expect.stringMatching(/127\.0\.0\.1|::1/) },
        res: { status: 204 },
        responseTime: expect.any(Number),
      }),
    ]);
  });

  it('answers with an id of its own, and names it on every line', async () => {
    const { lines, headers } = await linesOf((request, response) => {
      request.log().warn('on the way');
      response.sendStatus(500);
    });

    const id = headers['x-request-id'];
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(lines.map((line) => JSON.parse(line).reqId)).toEqual([id, id]);
  });

  it('keeps headers, body and query string to itself', async () => {
    const { lines } = await linesOf(ok, `/login?access_token=${SECRET}`);

    expect(lines.join()).not.toContain(SECRET);
  });

  it.each([
    `/feeds/${SECRET}/atom`,
    `/%66eeds/${SECRET}`,
    `/%46EEDS//${SECRET}`,
    `/feeds%2F${SECRET}`,
    `/shared/${SECRET}`,
    `/x/Shared//${SECRET}/pictures/1`,
    `/wallabag/share/${SECRET}`,
    `/shared/lists/${SECRET}`,
    `/unsubscribe/${SECRET}`,
    `/x/Shared//lists//${SECRET}`,
    `/%2566eeds/${SECRET}`,
    `/%2525252566eeds/${SECRET}`,
    `/%25252525252566eeds/${SECRET}`,
  ])('keeps a token in the path to itself, however the path is escaped: %j', async (path) => {
    const { lines } = await linesOf(ok, path);

    expect(lines.join()).not.toContain(SECRET);
  });

  it('writes any other path as it was sent', async () => {
    const { lines } = await linesOf(ok, '/a%20b/%C3%A9/100%');

    expect(JSON.parse(lines[0] ?? '').req.path).toBe('/a%20b/%C3%A9/100%');
  });

  it('writes an error without the values of its query', async () => {
    const cause = Object.assign(new Error('duplicate key'), { detail: `(email)=(${SECRET})` });
    const { lines } = await linesOf((request, response) => {
      request.log().error({ err: new QueryFailedError('INSERT', [SECRET], cause) }, 'failed');
      response.sendStatus(500);
    });

    expect(JSON.parse(lines[0] ?? '').err).toMatchObject({
      type: 'QueryFailedError',
      message: 'duplicate key',
      query: 'INSERT',
    });
    expect(lines.join()).not.toContain(SECRET);
  });

  it('escapes hostile paths', async () => {
    const { lines } = await linesOf(ok, '/%0d%0a%1b[2J');

    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '').req.path).toBe('/%0d%0a%1b[2J');
  });
});
