import { brotliCompressSync, gzipSync } from 'node:zlib';

import { type RawResponse, sendRaw } from '../support/account-api.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=x';
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

interface Hostile {
  readonly status: number;
  readonly body: string | Buffer;
  readonly type?: string;
  readonly encoding?: string;
}

let app: TestApp;
let api: ReadingListApi;
/** Credentials and members that would save a page at any endpoint. */
let good: string;

beforeAll(async () => {
  app = await aTestApp();
  api = await ReadingListApi.of(app);
  const actions = [{ action: 'add', url: 'https://example.com/saved' }];
  good = JSON.stringify({ ...api.credentials, url: 'https://example.com/saved', actions });
});
afterAll(() => app.close());

/** A valid body with one additional member. */
const withMember = (name: string, json: string): string =>
  good.replace(/\}$/, `,"${name}":${json}}`);
const part = (name: string, value: string): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const names = (count: number): string =>
  Array.from({ length: count }, (_, n) => `"n${n}":1`).join(',');
const formNames = (count: number): string =>
  Array.from({ length: count }, (_, n) => `n${n}=1`).join('&');
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Bodies that are rejected before any member is read. */
const HOSTILE: [string, () => Hostile][] = [
  ...['null', 'true', '1', '"x"', '[]', '[{}]', ' ', '{', '{}{}', '{/**/}', "{'a':1}"].map(
    (body): [string, () => Hostile] => [`JSON ${body}`, () => ({ body, status: 400 })],
  ),
  ['an open object', () => ({ body: good.slice(0, -1), status: 400 })],
  ['a comma too many', () => ({ body: good.replace(/\}$/, ',}'), status: 400 })],
  ['eleven levels', () => ({ body: withMember('x', nested(10)), status: 400 })],
  ['eleven levels in actions', () => ({ body: withMember('actions', nested(10)), status: 400 })],
  ['10,000 levels', () => ({ body: withMember('x', nested(10_000)), status: 400 })],
  ['10,000 open levels', () => ({ body: '{"a":'.repeat(10_000), status: 400 })],
  ['299,000 names', () => ({ body: withMember('x', `{${names(299_000)}}`), status: 413 })],
  ['101 names', () => ({ body: withMember('x', `{${names(101)}}`), status: 413 })],
  ['20,001 lists', () => ({ body: withMember('x', `[${'[],'.repeat(20_000)}[]]`), status: 413 })],
  ['U+0000 in a value', () => ({ body: withMember('x', '"a\\u0000"'), status: 400 })],
  ['U+0000 in a name', () => ({ body: withMember('\\u0000', '1'), status: 400 })],
  ['U+0000 within actions', () => ({ body: withMember('x', '[{"a":"\\u0000"}]'), status: 400 })],
  ['a high surrogate', () => ({ body: withMember('x', '"\\ud800"'), status: 400 })],
  ['a low surrogate', () => ({ body: withMember('x', '["\\udfff"]'), status: 400 })],
  ['a reversed pair', () => ({ body: withMember('x', '"\\ude00\\ud83d"'), status: 400 })],
  ['a surrogate in a name', () => ({ body: withMember('\\ud800', '1'), status: 400 })],
  ['ff fe', () => ({ body: latin1(withMember('x', '"\xff\xfe"')), status: 400 })],
  ['an overlong form', () => ({ body: latin1(withMember('x', '"\xc0\x80"')), status: 400 })],
  ['CESU-8', () => ({ body: latin1(withMember('x', '"\xed\xa0\x80"')), status: 400 })],
  ['half a character', () => ({ body: latin1(withMember('x', '"\xe2\x82"')), status: 400 })],
  ['UTF-16', () => ({ body: Buffer.from(good, 'utf16le'), status: 400 })],
  ['bytes', () => ({ body: Buffer.from([0, 1, 2, 3, 255]), type: '', status: 400 })],
  ['UTF-16 by its name', () => charset('utf-16')],
  ['UTF-7', () => charset('utf-7')],
  ['Latin-1', () => charset('iso-8859-1')],
  ['XML', () => ({ body: '<x/>', type: 'application/xml', status: 415 })],
  ['an image', () => ({ body: good, type: 'image/png', status: 415 })],
  ['an unknown encoding', () => ({ body: good, encoding: 'lzw', status: 415 })],
  ['two encodings', () => ({ body: gzipSync(good), encoding: 'gzip, gzip', status: 415 })],
  ['gzip that is none', () => ({ body: good, encoding: 'gzip', status: 400 })],
  ['half of gzip', () => ({ body: gzipSync(good).subarray(0, 30), encoding: 'gzip', status: 400 })],
  ['a bomb of gzip', () => ({ body: gzipSync(bomb()), encoding: 'gzip', status: 413 })],
  ['a bomb of Brotli', () => ({ body: brotliCompressSync(bomb()), encoding: 'br', status: 413 })],
  ['a form with %00', () => form('x=%00')],
  ['a form with %ff', () => form('x=%ff')],
  ['a form with CESU-8', () => form('x=%ed%a0%80')],
  ['a form with a bad name', () => form('%ff=x')],
  ['a form with deep brackets', () => form('a[b][c][d][e][f]=1')],
  ['a form with 2,900,000 brackets', () => form(`a${'[]'.repeat(2_900_000)}=1`)],
  ['a form of 101 names', () => ({ ...form(formNames(101)), status: 413 })],
  ['a form of 20,001 members', () => ({ ...form('&a=1'.repeat(20_001)), status: 413 })],
  ['multipart without boundary', () => multipart('x', 'multipart/form-data')],
  ['multipart without end', () => multipart('--x')],
  ['multipart without a part', () => multipart('nothing\r\n')],
  ['multipart cut off', () => multipart(part('url', 'https://example.com/saved').slice(0, -9))],
  ['1,001 parts', () => ({ ...multipart(`${part('a', '1').repeat(1001)}--x--`), status: 413 })],
  ['multipart with a bad header', () => multipart('--x\r\n\u0001\u0002: x\r\n\r\nx\r\n--x--')],
  ['multipart with U+0000', () => multipart(`${part('a', '\u0000')}--x--`)],
  ['multipart with ff', () => ({ ...multipart(''), body: latin1(`${part('a', '\xff')}--x--`) })],
  ['multipart with a file', () => multipart(`${part('a"; filename="b', 'x')}--x--`)],
];

const charset = (name: string): Hostile => ({
  body: good,
  type: `${JSON_TYPE}; charset=${name}`,
  status: 415,
});
const form = (more: string): Hostile => ({
  body: `${new URLSearchParams(api.credentials).toString()}&${more}`,
  type: FORM_TYPE,
  status: 400,
});
const multipart = (body: string, type = MULTIPART): Hostile => ({ body, type, status: 400 });
const bomb = (): string => withMember('x', `"${' '.repeat(10_000_000)}"`);

const ENDPOINTS = ['/v3/get', '/v3/add', '/v3/send'];

function post(path: string, { body, type = JSON_TYPE, encoding }: Hostile): Promise<RawResponse> {
  const headers = {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    ...(encoding !== undefined && { 'content-encoding': encoding }),
  };
  return sendRaw(app, { path, body, headers });
}

describe.each(HOSTILE)('an invalid body: %s', (_, make) => {
  it.each(ENDPOINTS)('is rejected at %s, and nothing is saved', async (path) => {
    const before = await api.items();
    const hostile = make();
    // The smallest body limit is 64 KiB, at get.
    const isTooLarge = path === '/v3/get' && hostile.body.length > 65_536;

    const { status, headers, text } = await post(path, hostile);

    expect(status).toBe(isTooLarge ? 413 : hostile.status);
    const { error, ...rest } = JSON.parse(text);
    expect(rest).toEqual({ status: 0, code: 130 });
    expect(headers).toMatchObject({ 'x-error': error, 'x-error-code': '130' });
    expect(error).not.toMatch(/node_modules|\bat \/|SELECT|INSERT|syntax|Unexpected token/);
    expect(await api.items()).toEqual(before);
  });
});

describe('a body of the maximum size', () => {
  it.each([
    ['/v3/get', 65_536, 'list'],
    ['/v3/add', 6_291_456, 'item'],
    ['/v3/send', 8_388_608, 'action_results'],
  ])('is accepted at %s, and rejected with one more byte: %d', async (path, limit, member) => {
    const start = Buffer.byteLength(withMember('x', '""'));
    const fits = withMember('x', `"${'x'.repeat(limit - start)}"`);

    const refused = await post(path, { body: `${fits} `, status: 413 });
    const read = await post(path, { body: fits, status: 200 });

    expect([refused.status, read.status]).toEqual([413, 200]);
    expect(JSON.parse(read.text)).toHaveProperty(member);
  });
});

describe('the service after all invalid bodies', () => {
  it('works and has logged no errors', async () => {
    expect(app.log()).not.toContain('"level":50');
    expect(await api.found()).toMatchObject({ status: 1 });
  });
});
