import { processorSeconds } from '../../../test/support/processor-time.js';
import { formPairs, MAX_PAIRS } from './form-pairs.js';

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
      expect(() => formPairs(text)).toThrow('A member is not valid UTF-8.');
    },
  );

  it('reads a large member in no time', async () => {
    const body = `a=${'%5b'.repeat(2_600_000)}`;
    let pairs: ReturnType<typeof formPairs> = [];

    const seconds = await processorSeconds(() => (pairs = formPairs(body)));

    expect(seconds).toBeLessThan(10);
    expect(pairs[0]?.[1]).toHaveLength(2_600_000);
  });

  it('takes a limited number of members', () => {
    expect(formPairs('a&'.repeat(MAX_PAIRS - 1) + 'a')).toHaveLength(MAX_PAIRS);
    expect(() => formPairs('a&'.repeat(MAX_PAIRS) + 'a')).toThrow('at most 20000 members');
  });
});
