import { facetsPassing } from '../facet.js';
import { conditionsOf, domainRange } from './conditions.js';

describe('conditionsOf', () => {
  it('asks nothing of an item when the filter is empty', () => {
    expect(conditionsOf({})).toEqual([]);
  });

  it.each([
    [{ state: 'unread' }, 1, 0],
    [{ state: 'archive' }, 1, 1],
    [{ favorite: true }, 2, 2],
    [{ favorite: false }, 2, 0],
    [{ tag: 'untagged' }, 4, 0],
    [{ contentType: 'article' }, 8, 8],
    [{ contentType: 'video' }, 16, 16],
    [{ contentType: 'image' }, 32, 32],
    [{ state: 'archive', favorite: false, contentType: 'video' }, 19, 17],
  ] as const)('tests the facets of %j together', (filter, mask, value) => {
    expect(conditionsOf(filter)).toEqual([{ kind: 'facet', mask, value }]);
  });

  it('narrows a delta as it narrows a list', () => {
    expect(conditionsOf({ state: 'unread', since: 7 })).toEqual([
      { kind: 'facet', mask: 1, value: 0 },
      { kind: 'since', version: 7, withTombstones: false },
    ]);
  });

  it('has tombstones in a delta of everything', () => {
    expect(conditionsOf({ since: 7 })).toEqual([
      { kind: 'since', version: 7, withTombstones: true },
    ]);
  });

  it('has every state, and tombstones, in a whole delta', () => {
    expect(conditionsOf({ state: 'unread', since: 7, wholeDelta: true })).toEqual([
      { kind: 'since', version: 7, withTombstones: true },
    ]);
    expect(conditionsOf({ state: 'unread', wholeDelta: true })).toEqual([
      { kind: 'facet', mask: 1, value: 0 },
    ]);
  });

  it('looks for a text without case', () => {
    expect(conditionsOf({ search: 'ΔΟΣ' })).toEqual([{ kind: 'search', text: 'δοσ' }]);
    expect(conditionsOf({ search: 'ÉCLAIR' })).toEqual([{ kind: 'search', text: 'éclair' }]);
  });
});

describe('facetsPassing', () => {
  it('names the facets of archived favorites', () => {
    const facets = facetsPassing({ mask: 3, value: 3 });

    expect(facets).toHaveLength(16);
    expect(facets.slice(0, 3)).toEqual([3, 7, 11]);
  });
});

/** Computes `items.site` of a host, like the database. */
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
