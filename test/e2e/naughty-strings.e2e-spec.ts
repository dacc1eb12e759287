import { sendRaw } from '../support/account-api.js';
import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

/** Strings that often break software. They contain no comma or white space, which tags would lose. */
const NAUGHTY = [
  'undefined',
  'NULL',
  'None',
  'true',
  '0',
  '-1e100',
  '0x0',
  '１２３',
  '$1.00',
  '1/0',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '../../../etc/passwd',
  '..\\..\\',
  '%2e%2e%2f',
  '%00',
  '%s%n%d',
  '${7*7}',
  '{{7*7}}',
  '#{7*7}',
  '`id`',
  '$(id)',
  "'; DROP TABLE items; --",
  '" OR 1=1 --',
  "E'\\\\'",
  '$$',
  '{"a":1}',
  '{red}',
  '"quoted"',
  "it's",
  'back\\slash',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '&lt;b&gt;&amp;',
  ']]>',
  '\u001b[2J\u001b[31mred',
  '\u0007\u0008bell',
  'a\u2028b\u2029c',
  '\u202etxt.exe',
  'a\u200bb',
  'soft\u00adhyphen',
  'Ω≈ç√∫˜µ≤≥÷',
  '社會科學院語學研究所',
  'הָיְתָהtestالصفحات التّحول',
  'Ṱ̺̺̕o͞ ̷i̲̬͇̪͙n̝̗͕v̟̜̘̦͟o̶̙̰̠kè͚̮̺̪̹̱̤',
  '👩‍👩‍👧‍👦🏳️‍🌈🇩🇪',
  '👾\ufe0f',
  'ﬁ ß İ ı Σς',
  '\ufdfa',
  '\uffff\ufdd0',
];

let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

describe.each(NAUGHTY)('the text %j', (text) => {
  /** Titles drop characters that change how other text looks (test/e2e/control-characters.e2e-spec.ts). */
  const title = text.replaceAll(/(?!\s)\p{Cc}|\u202e/gu, '');
  /** Tags are normalized to a single line in composed form (NFC). */
  const normal = title.normalize('NFC').replaceAll(/\s+/g, ' ');

  beforeAll(async () => {
    api = await ReadingListApi.of(app);
  });

  it('can be saved as a title and searched', async () => {
    const itemId = await api.saved('https://example.com/page', { title: text });
    await api.saved('https://example.com/other', { title: 'other' });

    expect(await api.item(itemId)).toMatchObject({ given_title: title, resolved_title: title });
    expect(await api.names({ search: text })).toEqual(['page']);
  });

  it('can be saved as a tag, filtered by and renamed', async () => {
    const itemId = await api.saved('https://example.com/tagged', { tags: [text, 'x'] });
    await api.saved('https://example.com/other', { tags: 'other' });

    expect(tagsOf(await api.item(itemId))).toEqual([normal, 'x'].sort());
    expect(await api.names({ tag: text })).toEqual(['tagged']);
    expect(await api.results({ action: 'tag_rename', old_tag: text, new_tag: 'y' })).toEqual([
      true,
    ]);
    expect(tagsOf(await api.item(itemId))).toEqual(['x', 'y']);
  });

  it('can be part of a saved URL', async () => {
    const url = `https://example.com/page?q=${encodeURIComponent(text)}`;

    const itemId = await api.saved(url);

    expect(await api.item(itemId)).toMatchObject({ given_url: url });
    expect(await api.results({ action: 'archive', url })).toEqual([true]);
  });
});

describe('the log after these tests', () => {
  it('has one JSON object per line and no errors', () => {
    const lines = app.log().trimEnd().split('\n');

    expect(lines.length).toBeGreaterThan(NAUGHTY.length);
    expect(() => lines.map((line) => JSON.parse(line) as unknown)).not.toThrow();
    expect(app.log()).not.toContain('\u001b');
    expect(app.log()).not.toContain('"level":50');
  });
});

describe('a path with traversal or invalid characters', () => {
  it.each([
    '/v3/../../etc/passwd',
    '/v3/%2e%2e/%2e%2e/etc/passwd',
    '/v3/get/..%2f..%2fetc%2fpasswd',
    '/v3/..\\..\\etc',
    '/v3/get%00',
    '/v3/%ff',
    '/v3/get;x',
  ])('returns 400 or 404: %s', async (path) => {
    const { status, text } = await sendRaw(app, { path, body: '{}' });

    expect([400, 404]).toContain(status);
    expect(text).not.toContain('root:');
  });
});
