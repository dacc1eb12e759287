import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { AccountApi, aPerson, sendRaw, type SignedIn } from '../support/account-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const JSON_TYPE = 'application/json';

/** Nested arrays of this depth. */
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** A body that is valid for every endpoint, with one additional member. */
const withMember = (name: string, value: string): string => {
  const { email, password } = aPerson();
  const fields = { name: 'Ada', email, password, refresh_token: 'x' };
  return JSON.stringify(fields).replace(/\}$/, `,"${name}":${value}}`);
};

interface Hostile {
  readonly body: string | Buffer;
  readonly status: number;
  readonly type?: string;
  readonly encoding?: string;
}

const padded = (bytes: number): string => `{"padding":"${' '.repeat(bytes)}"}`;

const HOSTILE: [string, Hostile][] = [
  ['an empty array', { body: '[]', status: 400 }],
  ['an array of an object', { body: '[{}]', status: 400 }],
  ['null', { body: 'null', status: 400 }],
  ['a string', { body: '"x"', status: 400 }],
  ['a number', { body: '1', status: 400 }],
  ['true', { body: 'true', status: 400 }],
  ['white space', { body: '  ', status: 400 }],
  ['half an object', { body: '{"name":', status: 400 }],
  ['two objects', { body: '{}{}', status: 400 }],
  ['single quotes', { body: `{'name':'Ada'}`, status: 400 }],
  ['a comment', { body: '{/**/}', status: 400 }],
  ['nesting of 11 levels', { body: `{"x":${nested(10)}}`, status: 400 }],
  ['nesting of 11 levels under a known name', { body: `{"name":${nested(10)}}`, status: 400 }],
  ['nesting of 2,000 levels', { body: nested(2000), status: 400 }],
  ['nesting of 2,000 open levels', { body: '{"a":'.repeat(700), status: 400 }],
  ['nesting of 40,000 levels', { body: nested(40_000), status: 413 }],
  ['U+0000 in a value', { body: withMember('x', '"a\\u0000b"'), status: 400 }],
  ['U+0000 in a nested value', { body: withMember('x', '[{"y":"\\u0000"}]'), status: 400 }],
  ['U+0000 in a member name', { body: withMember('a\\u0000', '1'), status: 400 }],
  ['a high surrogate alone', { body: withMember('x', '"\\ud800"'), status: 400 }],
  ['a low surrogate alone', { body: withMember('x', '"\\udfff"'), status: 400 }],
  ['surrogates in the wrong order', { body: withMember('x', '"\\ude00\\ud83d"'), status: 400 }],
  ['a lone surrogate in a member name', { body: withMember('\\ud800', '1'), status: 400 }],
  ['bytes that are no UTF-8', { body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), status: 400 }],
  ['an overlong form', { body: Buffer.from('{"x":"\xc0\x80"}', 'latin1'), status: 400 }],
  ['a surrogate in UTF-8', { body: Buffer.from('{"x":"\xed\xa0\x80"}', 'latin1'), status: 400 }],
  ['UTF-16 by another name', { body: Buffer.from('{}', 'utf16le'), status: 400 }],
  [
    'UTF-16',
    { body: Buffer.from('{}', 'utf16le'), type: `${JSON_TYPE}; charset=utf-16`, status: 415 },
  ],
  [
    'UTF-16LE',
    { body: Buffer.from('{}', 'utf16le'), type: `${JSON_TYPE};charset=utf-16le`, status: 415 },
  ],
  ['UTF-32', { body: Buffer.alloc(8), type: `${JSON_TYPE}; charset=utf-32`, status: 415 }],
  ['UTF-7', { body: '{}', type: `${JSON_TYPE}; charset=utf-7`, status: 415 }],
  ['Latin-1', { body: '{}', type: `${JSON_TYPE}; charset=iso-8859-1`, status: 415 }],
  ['an unknown charset', { body: '{}', type: `${JSON_TYPE}; charset=utf-x`, status: 415 }],
  ['no type', { body: '{}', type: '', status: 415 }],
  ['a form', { body: 'a=1', type: 'application/x-www-form-urlencoded', status: 415 }],
  ['XML', { body: '<x/>', type: 'application/xml', status: 415 }],
  ['one byte more than 4 KB', { body: padded(4096 - 14 + 1), status: 413 }],
  ['5 KB', { body: padded(5000), status: 413 }],
  ['1 MB', { body: padded(1_000_000), status: 413 }],
  ['5 KB in gzip', { body: gzipSync(padded(5000)), encoding: 'gzip', status: 413 }],
  [
    'a bomb of gzip',
    { body: gzipSync(Buffer.alloc(2_900_000, ' ')), encoding: 'gzip', status: 413 },
  ],
  [
    'a bomb of deflate',
    { body: deflateSync(Buffer.alloc(2_900_000)), encoding: 'deflate', status: 413 },
  ],
  [
    'a bomb of Brotli',
    { body: brotliCompressSync(Buffer.alloc(2_900_000)), encoding: 'br', status: 413 },
  ],
  ['gzip that is none', { body: '{}', encoding: 'gzip', status: 400 }],
  ['gzip that is cut off', { body: gzipSync('{}').subarray(0, 12), encoding: 'gzip', status: 400 }],
  ['deep nesting in gzip', { body: gzipSync(nested(1000)), encoding: 'gzip', status: 400 }],
  ['an unknown encoding', { body: '{}', encoding: 'zip', status: 415 }],
  ['two encodings', { body: gzipSync(gzipSync('{}')), encoding: 'gzip, gzip', status: 415 }],
  ['__proto__ as encoding', { body: '{}', encoding: '__proto__', status: 415 }],
];

describe.each(['/register', '/login', '/refresh', '/logout'])('POST %s', (path) => {
  let app: TestApp;
  let api: AccountApi;
  let user: SignedIn;

  const rows = async (): Promise<unknown[]> =>
    app.database.query(
      `SELECT u::text AS row FROM users u UNION ALL SELECT t::text FROM refresh_tokens t ORDER BY row`,
    );

  const send = ({ body, type = JSON_TYPE, encoding }: Hostile) =>
    sendRaw(app, {
      path,
      headers: {
        ...(type !== '' && { 'Content-Type': type }),
        ...(encoding !== undefined && { 'Content-Encoding': encoding }),
        Cookie: user.cookie,
      },
      body,
    });

  beforeAll(async () => {
    app = await aTestApp();
    api = new AccountApi(app);
    user = await api.signedIn();
  });
  afterAll(() => app.close());

  it.each(HOSTILE)('rejects %s and changes no data', async (_, hostile) => {
    const before = await rows();

    const response = await send(hostile);

    expect(response.status).toBe(hostile.status);
    expect(JSON.parse(response.text)).toEqual({
      statusCode: hostile.status,
      error: expect.any(String),
      message: expect.any(String),
      code: { 400: 'malformed_body', 413: 'body_too_large', 415: 'unsupported_media_type' }[
        hostile.status
      ],
    });
    expect(response.headers['set-cookie']).toBeUndefined();
    expect(await rows()).toEqual(before);
  });

  it('does not repeat the request body in the response', async () => {
    const response = await send({ body: '{"password":"hunter2hunter2",', status: 400 });

    expect(response.text).not.toMatch(/hunter2|position|token/i);
  });

  it('leaves the session cookie of the user valid', async () => {
    await api.loginWith({ Cookie: user.cookie }).expect(200);
  });
});

describe('POST /refresh with a body at the limits', () => {
  let app: TestApp;

  const statusOf = async (body: string | Buffer, headers = {}): Promise<number> => {
    const sent = { path: '/refresh', headers: { 'Content-Type': JSON_TYPE, ...headers }, body };
    return (await sendRaw(app, sent)).status;
  };
  const refresh = (padding: string): string => `{"refresh_token":"x","padding":${padding}}`;

  beforeAll(async () => {
    app = await aTestApp();
  });
  afterAll(() => app.close());

  it.each([
    ['4 KB', refresh(`"${' '.repeat(4096 - 34)}"`)],
    ['nesting of 10 levels', refresh(nested(9))],
    ['brackets in text', refresh(`"${'[{'.repeat(100)}\\"${'['.repeat(50)}"`)],
    ['many arrays side by side', refresh(`[${'[],'.repeat(500)}[]]`)],
    ['an emoji as two escapes', refresh('"\\ud83e\\udd8a"')],
    ['white space around it', ` \n${refresh('1')}\t`],
  ])('parses a body with %s', async (_, body) => {
    expect(await statusOf(body)).toBe(401);
  });

  it.each([
    ['gzip', gzipSync(refresh('1'))],
    ['deflate', deflateSync(refresh('1'))],
    ['br', brotliCompressSync(refresh('1'))],
    ['identity', Buffer.from(refresh('1'))],
  ])('parses a body in the encoding %s', async (encoding, body) => {
    expect(await statusOf(body, { 'Content-Encoding': encoding })).toBe(401);
  });

  it.each(['utf-8', 'UTF-8', '"utf-8"'])('parses a body in the charset %s', async (charset) => {
    const type = `${JSON_TYPE}; charset=${charset}`;

    expect(await statusOf(refresh('1'), { 'Content-Type': type })).toBe(401);
  });

  it('parses a chunked body', async () => {
    expect(await statusOf(refresh('1'), { 'Transfer-Encoding': 'chunked' })).toBe(401);
  });
});
