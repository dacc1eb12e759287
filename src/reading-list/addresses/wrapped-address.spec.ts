import { normalAddress } from '../list/address.js';
import { unwrapAddress } from './wrapped-address.js';

const PAGE = 'https://ferns.example/a?x=1&y=2#part';
const ENCODED = encodeURIComponent(PAGE);

const SUSPENDED = 'extension://klbibkeccnjlkjkiokjodocebajanakg/suspended.html';

const suspended = (uri: string): string => `chrome-${SUSPENDED}#ttl=Ferns%20%26&pos=0&uri=${uri}`;

describe('the address inside a wrapper', () => {
  it.each([
    `about:reader?url=${ENCODED}`,
    `ABOUT:READER?URL_=1&url=${ENCODED}#part`,
    `read://https_ferns.example/?url=${ENCODED}`,
    `chrome-distiller://00000000_0707/?title=Ferns&url=${ENCODED}`,
    `http://localhost:6571/reader-mode/page?url=${ENCODED}&uuidkey=1`,
    `view-source:${PAGE}`,
    `view-source:about:reader?url=${encodeURIComponent(`view-source:${PAGE}`)}`,
    `feed:${PAGE}`,
    suspended(PAGE),
    suspended(ENCODED),
    `moz-extension://0f/x/suspended.html#uri=${PAGE}`,
    `${SUSPENDED}?ttl=x&url=${ENCODED}&pos=0`,
    `https://getpocket.com/redirect?url=${ENCODED}&h=8f20&nt=0`,
    `http://www.getpocket.com/redirect/?formCheck=1&url=${ENCODED}`,
    `getpocket.com/redirect?url=${ENCODED}`,
    `http://${PAGE}`,
    `https://${PAGE}`,
    `http://http://${PAGE}`,
    `http://${PAGE.replace('://', '//')}`,
    `http://${PAGE.replace('://', ':/')}`,
    `HTTP://${PAGE}`,
    `  about:reader?url=${ENCODED}\n`,
    `about:reader?url=%20ht%0Atps%3A%2F%2F${ENCODED.slice('https%3A%2F%2F'.length)}%20`,
  ])('of %j is the page', (text) => {
    expect(normalAddress(text)?.givenUrl).toBe(PAGE);
    expect(unwrapAddress(PAGE)).toBe(PAGE);
  });

  it.each([
    ['feed://ferns.example/feed', 'http://ferns.example/feed'],
    ['https://http//ferns.example/a', 'http://ferns.example/a'],
    [suspended('https://app.example/#/notes/1&uri=2'), 'https://app.example/#/notes/1&uri=2'],
    ['about:reader?url=https://ferns.example/a+b', 'https://ferns.example/a+b'],
    ['about:reader?url=https%3A%2F%2Fferns.example%2F%C3%BC%25', 'https://ferns.example/ü%'],
    [
      'about:reader?url=https%3A%2F%2Fferns.example%2F%00%E2%80%AE',
      'https://ferns.example/%00%E2%80%AE',
    ],
    ['about:reader?url=https%3A%2F%2Fferns.example%2F%FF', 'https://ferns.example/\ufffd'],
  ])('of %j is %j', (text, expected) => {
    expect(normalAddress(text)?.givenUrl).toBe(expected);
  });

  it.each([
    'about:reader',
    'about:reader?url=',
    'about:reader?url=javascript%3Aalert(1)',
    'about:reader?url=file%3A%2F%2F%2Fetc%2Fpasswd',
    'about:reader?url=https%3A%2F%2F',
    'about:blank',
    'read://https_ferns.example/',
    'view-source:ferns.example',
    'view-source:chrome://settings',
    `chrome-${SUSPENDED}`,
    suspended(''),
    suspended('data:text/html,x'),
    'chrome-extension://klbibkeccnjlkjkiokjodocebajanakg/options.html#uri=https://ferns.example/',
    'http://https://',
    `${'view-source:'.repeat(6)}${PAGE}`,
    `about:reader?url=https%3A%2F%2Fferns.example%2F${'a'.repeat(4096)}`,
  ])('is missing in %j', (text) => {
    expect(normalAddress(text)).toBeUndefined();
  });

  it.each([
    'https://getpocket.com/redirect',
    'https://getpocket.com/redirect?url=javascript:alert(1)',
    'https://getpocket.com/redirected?url=https%3A%2F%2Fferns.example',
    'https://getpocket.example/redirect?url=https%3A%2F%2Fferns.example',
    'https://www.google.com/url?q=https://ferns.example/',
    'https://l.facebook.com/l.php?u=https%3A%2F%2Fferns.example%2F',
    'https://web.archive.org/web/2020/https://ferns.example/',
    'http://https.example//x',
    'http://localhost:3000/page?url=https%3A%2F%2Fferns.example',
  ])('is not looked for in %j', (text) => {
    expect(normalAddress(text)?.givenUrl).toBe(text);
  });

  it('is the same when it is unwrapped again', () => {
    for (let depth = 1; depth < 12; depth += 1) {
      const once = unwrapAddress(`${'http://'.repeat(depth)}ferns.example`);
      expect(unwrapAddress(once)).toBe(once);
    }
  });
});
