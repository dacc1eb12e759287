import fc from 'fast-check';

import { processorSeconds } from '../../../test/support/processor-time.js';
import {
  canonicalDomain,
  isSameDocument,
  nextItemId,
  normalAddress,
  withRoute,
} from './address.js';

const normal = (text: string): string | undefined => normalAddress(text)?.normalUrl;

describe('an address', () => {
  it.each([
    ['http://example.com', 'http://example.com'],
    ['https://example.com/', 'http://example.com'],
    ['  https://www.example.com/a/  ', 'http://example.com/a'],
    ['HTTPS://WWW.EXAMPLE.COM/A', 'http://example.com/A'],
    ['example.com/a', 'http://example.com/a'],
    ['//example.com/a', 'http://example.com/a'],
    ['example.com:8080/a', 'http://example.com:8080/a'],
    ['localhost:3000', 'http://localhost:3000'],
    ['[::1]:80/x', 'http://[::1]/x'],
    ['http://example.com:80/', 'http://example.com'],
    ['https://example.com:443/', 'http://example.com'],
    ['http://example.com:443/', 'http://example.com:443'],
    ['http://example.com./a', 'http://example.com/a'],
    ['http://www.com/a', 'http://www.com/a'],
    ['http://exämple.com/ü', 'http://xn--exmple-cua.com/%C3%BC'],
    ['http://example.com/a//?x=1', 'http://example.com/a?x=1'],
    ['http://example.com/a#part', 'http://example.com/a'],
    ['http://example.com/a?', 'http://example.com/a'],
    ['http://example.com/a?b=2&a=1', 'http://example.com/a?b=2&a=1'],
    ['http://example.com/?utm_source=x&a=1&UTM_Medium=y&fbclid=z', 'http://example.com?a=1'],
    [
      'http://example.com/?gclid=1&dclid&msclkid=2&mc_cid=3&mc_eid=4&igshid=5&yclid=6',
      'http://example.com',
    ],
    ['http://example.com/?a=utm_source&utmost=1', 'http://example.com?a=utm_source&utmost=1'],
    ['http://me:pw@example.com/', 'http://me:pw@example.com'],
    ['http://example.com/medium/@me', 'http://example.com/medium/@me'],
    ['http:example.com', 'http://example.com'],
    ['https://app.example/#/notes/1', 'http://app.example#/notes/1'],
    ['https://www.app.example/x/?b=1&utm_source=y#!Topic/a', 'http://app.example/x?b=1#!Topic/a'],
    ['https://app.example/#/notes/1/', 'http://app.example#/notes/1'],
    ['https://app.example/#/a%2Fb ü?q=1#part', 'http://app.example#/a%2Fb%20%C3%BC?q=1#part'],
    ['https://app.example/#/notes/1:~:text=words', 'http://app.example#/notes/1'],
    ['https://app.example/#/', 'http://app.example'],
    ['https://app.example/#!', 'http://app.example'],
    ['https://app.example/#!/', 'http://app.example'],
    ['https://app.example/#//', 'http://app.example'],
    ['https://app.example/#notes/1', 'http://app.example'],
    ['https://app.example/#part#/notes/1', 'http://app.example'],
    ['ht\ttp://exa\nmple.com/\r\na', 'http://example.com/a'],
  ])('%s is %s', (text, expected) => {
    expect(normal(text)).toBe(expected);
    expect(normal(expected)).toBe(expected);
  });

  it.each([
    ['example.com/a', 'http://example.com/a'],
    ['https://www.example.com:8443/a/?b=1', 'https://www.example.com:8443/a/?b=1'],
    ['https://example.com/?fbclid=mine&b=1#token=mine', 'https://example.com/?b=1'],
    ['https://me:pw@example.com/', 'https://example.com/'],
    ['https://app.example/x/#/notes/1', 'https://app.example/x/'],
  ])('%s is found at %s by everybody', (text, expected) => {
    expect(normalAddress(text)?.pageUrl).toBe(expected);
  });

  it.each([
    '',
    ' ',
    'hello',
    'hello world',
    '/path',
    '?q=1',
    '.com',
    'http://',
    'http://.',
    'me@example.com',
    'ftp://example.com',
    'mailto:me@example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'tel:5551234',
    'ws://example.com',
    'http://exa mple.com',
    'http://example.com:99999',
    `http://example.com/${'a'.repeat(4096)}`,
    `http://example.com/${'ä'.repeat(2040)}`,
    '../../etc/passwd',
  ])('refuses %j', (text) => {
    expect(normalAddress(text)).toBeUndefined();
  });

  it('keeps what was given, and tells domain and key', () => {
    expect(normalAddress(' https://WWW.Example.com:8080/A/?b=1&utm_x=2#c ')).toEqual({
      givenUrl: 'https://WWW.Example.com:8080/A/?b=1&utm_x=2#c',
      normalUrl: 'http://example.com:8080/A?b=1',
      documentUrl: 'http://example.com:8080/A?b=1',
      pageUrl: 'https://www.example.com:8080/A/?b=1',
      itemId: '8974071419685770',
      formerItemIds: [],
      domain: 'example.com',
      urlKey: 'example.com/:8080/A?b=1',
    });
  });

  it('with a route keeps the id that it had before among the former ids', () => {
    const [root, first, second] = ['', '#/notes/1', '#/notes/2'].map((route) =>
      normalAddress(`https://app.example/${route}`),
    );

    expect(root).toMatchObject({ formerItemIds: [] });
    expect(first).toMatchObject({
      formerItemIds: [root!.itemId],
      documentUrl: root!.documentUrl,
      urlKey: 'app.example/#/notes/1',
    });
    expect(second!.formerItemIds).toEqual([root!.itemId]);
    expect(new Set([root, first, second].map((one) => one!.itemId)).size).toBe(3);
  });

  it('with a wrapper keeps the id that the wrapper had before among the former ids', () => {
    const wrapper =
      'https://getpocket.com/redirect?url=https%3A%2F%2Fapp.example%2F%23%2Fnotes%2F1';
    const inner = normalAddress('https://app.example/#/notes/1')!;

    const address = normalAddress(wrapper)!;

    expect(address).toEqual({
      ...inner,
      formerItemIds: [...inner.formerItemIds, '7706859088991193'],
    });
  });

  it('has a key that an index can hold', () => {
    expect(normalAddress(`http://example.com/${'ä'.repeat(1000)}`)?.urlKey).toHaveLength(700);
    expect(normalAddress('http://example.com')?.urlKey).toBe('example.com/');
  });

  it('has an id between 2^52 and 2^53', () => {
    for (let n = 0; n < 1000; n += 1) {
      const id = Number(normalAddress(`http://example.com/${n}`)?.itemId);
      expect(id).toBeGreaterThanOrEqual(2 ** 52);
      expect(Number.isSafeInteger(id)).toBe(true);
    }
  });

  it('steps aside to the next id, and from the last to the first', () => {
    expect(nextItemId('4503599627370496')).toBe('4503599627370497');
    expect(nextItemId('9007199254740991')).toBe('4503599627370496');
  });

  it('takes no long time to read', async () => {
    const seconds = await processorSeconds(() => {
      for (const piece of ['a.', '/', 'a:', '@', '[', '&', '%', '.', '#/', 'a-', 'http://']) {
        normalAddress(piece.repeat(2048).slice(0, 4096));
        normalAddress(`http://example.com/#/${piece.repeat(2048).slice(0, 4000)}`);
        normalAddress(`a-extension://${piece.repeat(8000).slice(0, 16_000)}`);
        normalAddress(`http://example.com/${piece.repeat(2048).slice(0, 4000)}`);
      }
    });

    expect(seconds).toBeLessThan(5);
  });
});

describe('a domain', () => {
  it.each([
    ['example.com', 'example.com'],
    ['EXAMPLE.com', 'example.com'],
    ['www.example.com', 'example.com'],
    ['example.com.', 'example.com'],
    ['exämple.com', 'xn--exmple-cua.com'],
    ['https://example.com/path', 'example.com'],
    ['.com', 'com'],
    ['[::1]', '[::1]'],
    ['127.0.0.1', '127.0.0.1'],
    ['', undefined],
    ['a b', undefined],
    ["100%'", undefined],
  ])('%j is %j', (text, expected) => {
    expect(canonicalDomain(text)).toBe(expected);
  });
});

describe('isSameDocument', () => {
  it.each([
    ['http://example.com/a', 'https://www.example.com/a/', true],
    ['https://example.com/a?utm_source=x', 'https://example.com/a', true],
    ['https://example.com/a#part', 'https://example.com/a', true],
    ['https://app.example/#/notes/1', 'https://app.example/', true],
    ['https://app.example/#/notes/1', 'https://app.example/x', false],
    ['https://EXAMPLE.com/a', 'https://example.com:443/a', true],
    ['example.com/a', 'https://example.com/a', true],
    ['https://example.com/a', 'https://example.com/A', false],
    ['https://example.com/a', 'https://example.com/b', false],
    ['https://www.com/', 'https://com.example/', false],
    ['https://www.com/', 'https://www.www.com/', true],
    ['https://example.com/a?b=1', 'https://example.com/a', false],
    ['not an address', 'https://example.com/', false],
    ['http://www.xn--a/x', 'http://www.xn--a/x/', false],
  ])('%s and %s: %s', (one, other, isSame) => {
    expect([isSameDocument(one, other), isSameDocument(other, one)]).toEqual([isSame, isSame]);
  });

  it('tells what the normal forms tell', () => {
    const url = fc
      .tuple(
        fc.constantFrom('http://', 'https://', ''),
        fc.constantFrom('www.', 'www.www.', ''),
        fc.constantFrom('a.example', 'A.example', 'com', 'b.com.', '127.0.0.1', 'xn--a', 'é.org'),
        fc.constantFrom('', '/', '/x', '/x/', '//x', '/./x', '/x/..', '/%78', '/X', '/x.y', '/x~'),
        fc.constantFrom('', '?', '?utm_source=1', '?a=1', '#x', '#/x'),
      )
      .map((parts) => parts.join(''));
    const normal = (text: string): string | undefined => normalAddress(text)?.documentUrl;

    fc.assert(
      fc.property(url, url, (one, other) => {
        const areSame = normal(one) !== undefined && normal(one) === normal(other);
        expect(isSameDocument(one, other)).toBe(one === other || areSame);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('a document that was found for a saved address', () => {
  it.each([
    ['https://app.example/', 'https://app.example/#/notes/1', 'https://app.example/#/notes/1'],
    ['https://app.example/v2', 'app.example#!a', 'https://app.example/v2#!a'],
    ['https://app.example/#/login', 'https://app.example/#/a', 'https://app.example/#/login'],
    ['https://example.com/', 'https://example.com/#part', 'https://example.com/'],
    ['', 'https://app.example/#/notes/1', ''],
  ])('%j for %s is at %j', (resolved, given, expected) => {
    expect(withRoute(resolved, given)).toBe(expected);
  });
});
