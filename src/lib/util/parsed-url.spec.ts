import { parsedUrl } from './parsed-url.js';

/** Number of calls after which V8 has compiled the interpreted code. */
const MANY = 50_000;

it('reads an address with letters beyond ASCII, however often it is asked', () => {
  let host: string | undefined = '';
  for (let call = 0; call < MANY; call += 1) {
    host = parsedUrl('https://bücher.example/é')?.host;
  }

  expect(host).toBe('xn--bcher-kva.example');
});

it.each([
  ['/a', 'https://example.com/b', 'https://example.com/a'],
  ['//other.example', 'https://example.com/b', 'https://other.example/'],
  ['/a', undefined, undefined],
  ['', undefined, undefined],
  ['https://', undefined, undefined],
  ['https://a b/', 'https://example.com/', undefined],
])('reads %j from %j as %j', (text, base, href) => {
  expect(parsedUrl(text, base)?.href).toBe(href);
});
