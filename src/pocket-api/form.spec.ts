import { processorSeconds } from '../../test/support/processor-time.js';
import { formPairs, MAX_PAIRS, type Pair, paramsOf } from './form.js';

const latin1 = (text: string): string => Buffer.from(text).toString('latin1');

describe('formPairs', () => {
  it.each([
    ['', []],
    [
      'a=1&b=2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      'since&a=',
      [
        ['since', ''],
        ['a', ''],
      ],
    ],
    ['&&a=1&', [['a', '1']]],
    ['a=b=c', [['a', 'b=c']]],
    ['a=x+y%2Bz%26', [['a', 'x y+z&']]],
    ['a%5B0%5D=1', [['a[0]', '1']]],
    [
      'a=100%&b=%zz%4',
      [
        ['a', '100%'],
        ['b', '%zz%4'],
      ],
    ],
    ['a=%C3%A9%f0%9f%98%80', [['a', 'é😀']]],
    [latin1('é=😀'), [['é', '😀']]],
    ['a=%00', [['a', '\u0000']]],
    [
      'a=1&a=2',
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
  ])('reads %j', (text, pairs) => {
    expect(formPairs(text)).toEqual(pairs);
  });

  it.each(['a=%ff%fe', 'a=%c0%80', 'a=%ed%a0%80', '%ff=1', 'a=\xff'])(
    'refuses %j, which is not UTF-8',
    (text) => {
      expect(() => formPairs(text)).toThrow('A parameter is not valid UTF-8.');
    },
  );

  it('reads a large parameter in no time', async () => {
    const body = `a=${'%5b'.repeat(2_600_000)}`;
    let pairs: ReturnType<typeof formPairs> = [];

    const seconds = await processorSeconds(() => (pairs = formPairs(body)));

    expect(seconds).toBeLessThan(10);
    expect(pairs[0]?.[1]).toHaveLength(2_600_000);
  });

  it('takes a limited number of parameters', () => {
    expect(formPairs('a&'.repeat(MAX_PAIRS - 1) + 'a')).toHaveLength(MAX_PAIRS);
    expect(() => formPairs('a&'.repeat(MAX_PAIRS) + 'a')).toThrow('at most 20000 parameters');
  });
});

describe('paramsOf', () => {
  it.each<[readonly Pair[], object]>([
    [[], {}],
    [[['a', '1']], { a: '1' }],
    [
      [
        ['a', '1'],
        ['a', '2'],
      ],
      { a: '2' },
    ],
    [
      [
        ['tags[]', 'x'],
        ['tags[]', 'y'],
      ],
      { tags: ['x', 'y'] },
    ],
    [
      [
        ['tags[1]', 'y'],
        ['tags[0]', 'x'],
        ['tags[]', 'z'],
      ],
      { tags: ['x', 'y', 'z'] },
    ],
    [
      [
        ['tags[10]', 'y'],
        ['tags[9]', 'x'],
      ],
      { tags: ['x', 'y'] },
    ],
    [[['a[999999999]', 'x']], { a: ['x'] }],
    [
      [
        ['actions[0][action]', 'tags_add'],
        ['actions[0][tags][0]', 'x'],
        ['actions[1][action]', 'pv'],
        ['actions[0][item_id]', '7'],
      ],
      { actions: [{ action: 'tags_add', tags: ['x'], item_id: '7' }, { action: 'pv' }] },
    ],
    [[['actions[x][action]', 'pv']], { actions: { x: { action: 'pv' } } }],
    [
      [
        ['actions[0]', 'x'],
        ['actions[y]', 'z'],
      ],
      { actions: { '0': 'x', y: 'z' } },
    ],
    [
      [
        ['a', 'x'],
        ['a[0]', 'y'],
      ],
      { a: ['y'] },
    ],
    [
      [
        ['a[0]', 'y'],
        ['a', 'x'],
      ],
      { a: 'x' },
    ],
    [
      [
        ['a[', '1'],
        ['a]', '2'],
        ['[a]', '3'],
        ['a[b]c', '4'],
        ['', '5'],
      ],
      { 'a[': '1', 'a]': '2', '[a]': '3', 'a[b]c': '4', '': '5' },
    ],
  ])('reads %j', (pairs, members) => {
    expect(paramsOf(pairs)).toEqual(members);
  });

  it('refuses brackets in brackets without end', () => {
    expect(paramsOf([['a[0][b][c][d]', '1']])).toEqual({ a: [{ b: { c: { d: '1' } } }] });
    expect(() => paramsOf([['a' + '[0]'.repeat(5), '1']])).toThrow('nested deeper than 5 levels');
  });

  it.each(['__proto__', '__proto__[polluted]', 'a[__proto__][polluted]', 'constructor[prototype]'])(
    'keeps %s a name like any other',
    (name) => {
      const members = paramsOf([[name, 'x']]);

      expect(Object.getPrototypeOf(members)).toBe(Object.prototype);
      expect(JSON.stringify(members)).toContain('"x"');
      expect('polluted' in {}).toBe(false);
    },
  );
});
