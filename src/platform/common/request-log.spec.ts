import express, { type RequestHandler } from 'express';
import supertest from 'supertest';
import { QueryFailedError } from 'typeorm';

import { createLogger } from './logging.js';
import { type EndedRequest, requestLog } from './request-log.js';

const SECRET = 'hunter2';

/** Returns the log lines of one request to the handler. */
async function linesOf(
  handle: RequestHandler,
  path = '/login',
  options: Partial<Parameters<typeof requestLog>[1]> = {},
) {
  const lines: string[] = [];
  const app = express();
  app.use(
    requestLog(
      createLogger('trace', undefined, { write: (line: string) => void lines.push(line) }),
      { isLogged: true, callerOf: () => ({ user: '7' }), ...options },
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
        req: {
          method: 'POST',
          path: '/login',
          route: 'none',
          from: expect.stringMatching(/127\.0\.0\.1|::1/),
        },
        res: { status: 204 },
        responseTime: expect.any(Number),
        user: '7',
      }),
    ]);
  });

  it('writes no line for a request if the request log is off', async () => {
    const { lines, headers } = await linesOf(ok, '/login', { isLogged: false });

    expect(lines).toEqual([]);
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('observes a request with its route, even if the request log is off', async () => {
    const seen: EndedRequest[] = [];
    const router = express.Router();
    router.post('/read/:id', ok);

    await linesOf(router, '/read/1?x=2', { isLogged: false, observe: (one) => seen.push(one) });

    expect(seen).toEqual([
      {
        method: 'POST',
        route: '/read/:id',
        status: 204,
        milliseconds: expect.any(Number),
        errorCode: undefined,
      },
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
