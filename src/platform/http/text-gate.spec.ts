import fc from 'fast-check';

import { processorSeconds } from '../../../test/support/processor-time.js';
import { MalformedBodyError, TooManyError } from '../common/common.errors.js';
import { refuseHostileBytes, refuseHostileText } from './text-gate.js';

const nested = (depth: number, open = '[', close = ']'): string =>
  open.repeat(depth) + close.repeat(depth);

const names = (count: number): string =>
  Array.from({ length: count }, (_, n) => `"${n}":0`).join(',');

const actions = (count: number): string => {
  const tags = Array.from({ length: 50 }, (_, n) => `tag ${n}`);
  const [a, b, c, d, e, f, g, h, i] = tags;
  return JSON.stringify({ actions: Array(count).fill({ a, b, c, d, e, f, g, h, i, tags }) });
};

const passes = (body: string | Buffer): boolean => {
  try {
    refuseHostileBytes(Buffer.from(body));
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(MalformedBodyError);
    return false;
  }
};

describe('refuseHostileBytes', () => {
  it.each([
    ['nothing', ''],
    ['an object', '{"a":1}'],
    ['text of every width', '"aé世🐘"'],
    ['U+FFFD that was sent as such', '"\uFFFD"'],
    ['ten levels of lists', nested(10)],
    ['ten levels of objects', `${'{"a":'.repeat(10)}1${'}'.repeat(10)}`],
    ['20,000 lists', `[${'[],'.repeat(19_998)}[]]`],
    ['100,000 names', `[${`{${names(100)}},`.repeat(999)}{${names(100)}}]`],
    ['5,000 actions of ten parameters and fifty tags', actions(5000)],
    ['brackets that close what is not open', `{"a":1}}}}`],
    ['300,000 elements', `[${'0,'.repeat(299_999)}0]`],
    ['commas in a string', `["${','.repeat(300_000)}"]`],
    ['brackets in a string', `"${'['.repeat(1000)}"`],
    ['brackets behind an escaped quote', `{"a":"\\"${'['.repeat(1000)}"}`],
    ['brackets behind an escaped backslash and a quote', `["\\\\",[[]],"${'{'.repeat(1000)}"]`],
  ])('lets %s pass', (_, body) => {
    expect(passes(body)).toBe(true);
  });

  it.each([
    ['eleven levels of lists', nested(11)],
    ['eleven levels of objects', `${'{"a":'.repeat(11)}1${'}'.repeat(11)}`],
    ['eleven levels of both', `${'[{"a":'.repeat(6)}1${'}]'.repeat(6)}`],
    ['80 KB of lists', nested(40_000)],
    ['lists that are never closed', '['.repeat(11)],
    ['depth behind a string that ends in a backslash', `["\\\\",${nested(10)}]`],
    ['depth behind an empty string', `["",${nested(10)}]`],
    ['depth behind a closing bracket in a string', `["]]]]]]]]]]",${nested(10)}]`],
    ['depth in a parameter name that looks like one', `{"a":${nested(10)}}`],
    ['more than 300,000 elements', `[${'0,'.repeat(300_000)}0]`],
    ['depth between white space', `${'[ \n\t'.repeat(11)}${']'.repeat(11)}`],
  ])('refuses %s', (_, body) => {
    expect(passes(body)).toBe(false);
  });

  it.each([
    ['more than 20,000 lists', `[${'[],'.repeat(19_999)}[]]`],
    ['more than 20,000 objects', `[${'{},'.repeat(19_999)}{}]`],
    ['more than 100 names', `{${names(101)}}`],
    ['more than 100 names around an object', `{"a":{"b":1},${names(100)}}`],
    ['more than 100,000 names', `[${`{${names(100)}},`.repeat(1000)}{"a":1}]`],
  ])('refuses %s as too large', (_, body) => {
    expect(() => {
      refuseHostileBytes(Buffer.from(body));
    }).toThrow(TooManyError);
  });

  it.each([
    ['no UTF-8', [0xff, 0xfe]],
    ['an overlong NUL', [0xc0, 0x80]],
    ['an overlong slash', [0xe0, 0x80, 0xaf]],
    ['a surrogate half (CESU-8)', [0xed, 0xa0, 0x80]],
    ['a code point beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['a character that is cut off', [0xe4, 0xb8]],
    ['Latin-1', [...Buffer.from('é', 'latin1')]],
    ['UTF-16', [...Buffer.from('{}', 'utf16le').subarray(0, 2), 0xd8, 0x00]],
  ])('refuses %s', (_, bytes) => {
    const body = Buffer.concat([Buffer.from('"'), Buffer.from(bytes), Buffer.from('"')]);

    expect(passes(body)).toBe(false);
  });

  it('judges valid JSON by its depth alone', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
        : 0;

    fc.assert(
      fc.property(fc.json({ maxDepth: 14, depthSize: 'max', noUnicodeString: false }), (json) => {
        expect(passes(json)).toBe(depthOf(JSON.parse(json)) <= 10);
      }),
    );
  });

  it('takes time in proportion to the body', async () => {
    const body = Buffer.from(`["${'\\"'.repeat(500_000)}"]`);

    const seconds = await processorSeconds(() => {
      refuseHostileBytes(body);
    });

    expect(seconds).toBeLessThan(1);
  });
});

describe('refuseHostileText', () => {
  it('looks at a large body once', () => {
    let looks = 0;
    const value = Object.defineProperty({}, 'title', {
      enumerable: true,
      get: () => (looks += 1),
    });

    refuseHostileText({ actions: Array.from({ length: 200_000 }, () => value) });

    expect(looks).toBe(200_000);
  });

  it.each([
    [null],
    [true],
    [0],
    ['text'],
    ['🐘 \uFFFD \u200d \u001b'],
    [['a', { b: ['c'] }]],
    [JSON.parse('{"__proto__":{"a":"b"}}')],
  ])('lets %j pass', (value) => {
    expect(() => {
      refuseHostileText(value);
    }).not.toThrow();
  });

  const HOSTILE = ['\u0000', 'a\u0000b', '\ud800', '\udc00', 'a\ud83d', '\udc18\ud83d'];
  const PLACES = [
    ['by itself', (text: string): unknown => text],
    ['in a parameter', (text: string) => ({ name: text })],
    ['in the name of a parameter', (text: string) => ({ [text]: 1 })],
    ['in a list', (text: string) => ['', text]],
    ['deep inside', (text: string) => ({ a: [{ b: { c: [text] } }] })],
    ['below __proto__', (text: string) => JSON.parse(`{"__proto__":${JSON.stringify([text])}}`)],
  ] as const;

  it.each(HOSTILE.flatMap((text) => PLACES.map(([place, put]) => [text, place, put] as const)))(
    'refuses %j %s',
    (text, _, put) => {
      expect(() => {
        refuseHostileText(put(text));
      }).toThrow(MalformedBodyError);
    },
  );
});
