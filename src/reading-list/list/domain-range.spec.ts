import { domainRange } from './domain-range.js';

/** As the database makes `items.site` of a host. */
const site = (host: string): string => `${Array.from(host).reverse().join('')}/`;

const isIn = (host: string, domain: string): boolean => {
  const { from, below } = domainRange(domain);
  return site(host) >= from && site(host) < below;
};

describe('domainRange', () => {
  it.each(['example.com', 'a.example.com', 'b.a.example.com', 'xn--bcher-kva.example.com'])(
    'holds %s',
    (host) => {
      expect(isIn(host, 'example.com')).toBe(true);
    },
  );

  it.each(['ample.com', 'anexample.com', 'an-example.com', 'example.com.au', 'example.co', 'com'])(
    'does not hold %s',
    (host) => {
      expect(isIn(host, 'example.com')).toBe(false);
    },
  );
});
