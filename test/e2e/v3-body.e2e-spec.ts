import { gzipSync } from 'node:zlib';

import { All, Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import request, { type Test } from 'supertest';

import { Public } from '../../src/platform/http/public.js';
import { sendV3 } from '../../src/pocket-api/v3-responses.js';
import { V3_ENDPOINTS } from '../../src/pocket-api/v3-routes.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PATHS = Object.values(V3_ENDPOINTS).flatMap(({ paths }) => [...paths]);

/** Returns `request.body` at each v3 path. */
@Public()
@Controller()
class ProbeController {
  @All(PATHS)
  show(@Req() { body }: Request<unknown, unknown, object>, @Res() response: Response): void {
    sendV3(response, 200, body);
  }
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

describe('the body of a v3 call', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await aTestApp({ controllers: [ProbeController] });
  });
  afterAll(() => app.close());

  const post = (query = '', path = '/v3/get'): Test =>
    request(app.url).post(`${path}${query}`).serialize(String);
  const get = (query: string): Test => request(app.url).get(`/v3/get${query}`);
  const sent = (body: string, type: string): Test => post().set('Content-Type', type).send(body);

  it.each(PATHS)('is parsed at %s', async (path) => {
    const { body } = await post('/?a=1', path)
      .set('Content-Type', FORM_TYPE)
      .send('b=2')
      .expect(200);

    expect(body).toEqual({ a: '1', b: '2' });
  });

  it.each([
    [JSON_TYPE, '{"a":1,"b":["x"],"c":{"d":null}}', { a: 1, b: ['x'], c: { d: null } }],
    ['application/json; charset=UTF8', '{"a":"é"}', { a: 'é' }],
    ['application/json;charset="utf-8"', '{"a":"é"}', { a: 'é' }],
    ['APPLICATION/JSON; Charset=utf8', '{"a":1}', { a: 1 }],
    ['application/vnd.api+json', '{"a":1}', { a: 1 }],
    [JSON_TYPE, '\uFEFF {"a":1}\n', { a: 1 }],
    [JSON_TYPE, '{"a":1,"a":2}', { a: 2 }],
    [JSON_TYPE, '{"a":null,"b":"","c":" ","d":0,"e":false}', { d: 0, e: false }],
    [JSON_TYPE, '{}', {}],
    [JSON_TYPE, '', {}],
    [FORM_TYPE, 'a=1&b=x+y&since&c[]=1&c[]=2', { a: '1', b: 'x y', c: ['1', '2'] }],
    [`${FORM_TYPE}; charset=UTF8`, 'a=%C3%A9', { a: 'é' }],
    [FORM_TYPE, 'actions[0][action]=pv', { actions: [{ action: 'pv' }] }],
    [FORM_TYPE, ' {"a":1}', { a: 1 }],
    ['text/plain;charset=UTF-8', '{"a":1}', { a: 1 }],
    ['text/plain', 'a=1', { a: '1' }],
    ['', '{"a":1}', { a: 1 }],
    ['', 'a=1', { a: '1' }],
  ])('is parsed as %j from %s', async (type, text, members) => {
    const { body } = await sent(text, type).expect(200);

    expect(body).toEqual(members);
  });

  it('is parsed from multipart fields', async () => {
    const { body } = await request(app.url)
      .post('/v3/get')
      .field('a', 'é')
      .field('actions[0][action]', 'pv')
      .expect(200);

    expect(body).toEqual({ a: 'é', actions: [{ action: 'pv' }] });
  });

  it('is decompressed', async () => {
    const { body } = await post()
      .set({ 'Content-Type': JSON_TYPE, 'Content-Encoding': 'gzip' })
      .serialize((bytes: unknown) => bytes as string)
      .send(gzipSync('{"a":1}'))
      .expect(200);

    expect(body).toEqual({ a: 1 });
  });

  it('is merged with the query, and the body wins in a POST', async () => {
    const { body } = await post('?a=query&b=query&c=query&actions[0][action]=pv')
      .set('Content-Type', JSON_TYPE)
      .send('{"a":"body","b":null,"d":"body"}')
      .expect(200);

    const actions = [{ action: 'pv' }];
    expect(body).toEqual({ a: 'body', b: 'query', c: 'query', d: 'body', actions });
  });

  it('is merged with the query, and the query wins in a GET', async () => {
    const { body } = await get('?a=query&b=&c=%C3%A9')
      .set('Content-Type', FORM_TYPE)
      .send('a=body&b=body')
      .expect(200);

    expect(body).toEqual({ a: 'query', b: 'body', c: 'é' });
  });

  it('is an empty object if there are no parameters', async () => {
    expect((await get('').expect(200)).text).toBe('{}');
    expect((await post().expect(200)).text).toBe('{}');
  });

  it.each([
    ...['null', 'true', '1', '"x"', '[]', '[{}]', '{', 'a=1'].map((text) => [JSON_TYPE, text]),
    [JSON_TYPE, `{"a":${'['.repeat(10)}${']'.repeat(10)}}`],
    [JSON_TYPE, '{"a":"\\u0000"}'],
    [JSON_TYPE, '{"\\u0000":"a"}'],
    [JSON_TYPE, '{"a":"\\ud800"}'],
    [FORM_TYPE, 'a=%00'],
    [FORM_TYPE, 'a=%ed%a0%80'],
    ['multipart/form-data', 'x'],
    ['multipart/form-data; boundary=x', '--x'],
  ])('is rejected with 400: %s %s', async (type, text) => {
    const { body, headers } = await sent(text, type).expect(400);

    expect(body).toEqual({ status: 0, error: expect.any(String), code: 130 });
    expect(headers['x-error-code']).toBe('130');
    expect(headers['x-error']).toBe(body.error);
  });

  it.each([Buffer.from([0xff, 0xfe]), Buffer.from('{"a":"\xc0\x80"}', 'latin1')])(
    'is rejected with 400 if it is not UTF-8: %j',
    async (bytes) => {
      await post()
        .set('Content-Type', JSON_TYPE)
        .serialize((raw: unknown) => raw as string)
        .send(bytes)
        .expect(400);
    },
  );

  it.each(['?a=%ff', '?a=%00', '?a[b][c][d][e][f]=1'])(
    'is rejected with 400 for the query %s',
    async (query) => {
      await get(query).expect(400);
    },
  );

  it.each([
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/x-www-form-urlencoded; charset=utf-7',
    'application/xml',
    'image/png',
  ])('is rejected with 415 for the type %s', async (type) => {
    await sent('{}', type).expect(415);
  });

  it('is rejected with 415 for an unknown content encoding', async () => {
    await sent('{}', JSON_TYPE).set('Content-Encoding', 'lzw').expect(415);
  });

  it.each(
    Object.values(V3_ENDPOINTS).map(({ paths, bodyLimit }) => [paths[0], bodyLimit] as const),
  )('is limited at %s to %d bytes', async (path, limit) => {
    const fits = `{"a":"${'x'.repeat(limit - 8)}"}`;
    const json = (text: string) => post('', path).set('Content-Type', JSON_TYPE).send(text);

    expect((await json(fits).expect(200)).text).toBe(fits);
    const { body } = await json(`${fits} `).expect(413);
    expect(body).toEqual({ status: 0, error: 'The body is too large.', code: 130 });
  });

  it('is limited by its decompressed size', async () => {
    const { body } = await post()
      .set({ 'Content-Type': JSON_TYPE, 'Content-Encoding': 'gzip' })
      .serialize((bytes: unknown) => bytes as string)
      .send(gzipSync(`{"a":"${'x'.repeat(10_000_000)}"}`))
      .expect(413);

    expect(body.code).toBe(130);
  });

  it.each([
    ['an answer', '/v3/get?a=1', 200],
    ['a refusal', '/v3/get?a=%ff', 400],
    ['an unknown path', '/v3/nothing', 404],
  ])('has the v3 headers in lower case for %s', async (_, path, status) => {
    const { res } = (await request(app.url).get(path).expect(status)) as unknown as {
      res: { rawHeaders: string[] };
    };

    const headers = res.rawHeaders.map((text) => text);
    expect(headers[headers.indexOf('content-type') + 1]).toBe('application/json');
    expect(headers[headers.indexOf('x-source') + 1]).toBe('Pocket');
    expect(headers.includes('x-error')).toBe(status !== 200);
    expect(headers.includes('x-error-code')).toBe(status !== 200);
  });
});
