import express, { type RequestHandler } from 'express';
import supertest from 'supertest';
import { QueryFailedError } from 'typeorm';

import { createLogger } from './logger.js';
import { requestLog } from './request-log.js';

const SECRET = 'hunter2';

/** The lines that one request leaves, when the handler answers it. */
async function linesOf(handle: RequestHandler, path = '/login') {
  const lines: string[] = [];
  const app = express();
  app.use(requestLog(createLogger('trace', { write: (line: string) => void lines.push(line) })));
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
      request.log.warn('on the way');
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

  it('writes an error without the values of its query', async () => {
    const cause = Object.assign(new Error('duplicate key'), { detail: `(email)=(${SECRET})` });
    const { lines } = await linesOf((request, response) => {
      request.log.error({ err: new QueryFailedError('INSERT', [SECRET], cause) }, 'failed');
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
