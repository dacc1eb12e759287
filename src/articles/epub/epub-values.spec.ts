import { uriOf } from './epub-values.js';

describe('uriOf', () => {
  it.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTP://EXAMPLE.com:81/a b?c[d]#e#f', 'http://example.com:81/a%20b?c%5Bd%5D#e%23f'],
    ['https://bücher.example/ü%zz', 'https://xn--bcher-kva.example/%C3%BC%25zz'],
    ['http://192.0.2.1/', 'http://192.0.2.1/'],
    ['http://0xc0.0.2.1/', 'http://192.0.2.1/'],
    ['http://[2001:db8::1]:8080/', 'http://[2001:db8::1]:8080/'],
    ['http://a-b.1c.example./', 'http://a-b.1c.example./'],
    ['mailto:a.b+c@example.com', 'mailto:a.b+c@example.com'],
  ])('writes %s as %s', (address, uri) => {
    expect(uriOf(address)).toBe(uri);
  });

  it.each([
    'http://www.323design/',
    'http://a_b.example/',
    'http://-a.example/',
    'http://a..example/',
    'http://a$b.example/',
    'http:///',
    '/path',
    'javascript:x()',
    'mailto:x y@z',
  ])('gives none for %s', (address) => {
    expect(uriOf(address)).toBeUndefined();
  });
});
