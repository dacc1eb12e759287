import fc from 'fast-check';

import { normalAddress } from './address.js';
import { isSameAddress } from './same-address.js';

describe('isSameAddress', () => {
  it.each([
    ['http://example.com/a', 'https://www.example.com/a/', true],
    ['https://example.com/a?utm_source=x', 'https://example.com/a', true],
    ['https://example.com/a#part', 'https://example.com/a', true],
    ['https://EXAMPLE.com/a', 'https://example.com:443/a', true],
    ['example.com/a', 'https://example.com/a', true],
    ['https://example.com/a', 'https://example.com/A', false],
    ['https://example.com/a', 'https://example.com/b', false],
    ['https://www.com/', 'https://com.example/', false],
    ['https://www.com/', 'https://www.www.com/', true],
    ['https://example.com/a?b=1', 'https://example.com/a', false],
    ['not an address', 'https://example.com/', false],
  ])('%s and %s: %s', (one, other, isSame) => {
    expect([isSameAddress(one, other), isSameAddress(other, one)]).toEqual([isSame, isSame]);
  });

  it('tells what the normal forms tell', () => {
    const url = fc
      .tuple(
        fc.constantFrom('http://', 'https://', ''),
        fc.constantFrom('www.', 'www.www.', ''),
        fc.constantFrom('a.example', 'A.example', 'com', 'b.com.', '127.0.0.1', 'xn--a', 'é.org'),
        fc.constantFrom('', '/', '/x', '/x/', '//x', '/./x', '/x/..', '/%78', '/X', '/x.y', '/x~'),
        fc.constantFrom('', '?', '?utm_source=1', '?a=1', '#x'),
      )
      .map((parts) => parts.join(''));
    const normal = (text: string): string | undefined => normalAddress(text)?.normalUrl;

    fc.assert(
      fc.property(url, url, (one, other) => {
        const areSame = normal(one) !== undefined && normal(one) === normal(other);
        expect(isSameAddress(one, other)).toBe(one === other || areSame);
      }),
      { numRuns: 3000 },
    );
  });
});
