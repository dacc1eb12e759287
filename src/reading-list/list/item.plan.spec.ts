import { choosePlans } from './item.plan.js';
import type { ItemFilter, ItemsWanted } from './item-filter.js';
import { sortKeyOf } from './item-order.js';
import { listSizes } from './list-sizes.js';
import { conditionsOf } from './narrowing.js';
import type { PageQuery } from './plans/page-query.js';

const ITEMS = 200_000;
/** A fifth is archived, a hundredth favorite and archived as well, and a good fourth has tags. */
const FACET_COUNTS = [104_000, 40_000, 0, 2000, 54_000, ...Array<number>(59).fill(0)];

interface Facts {
  readonly order?: ItemsWanted['order'];
  readonly timeOrder?: NonNullable<ItemsWanted['timeOrder']>;
  readonly offset?: number;
  readonly tagged?: number;
  /** Of 400 items in the order wanted, those from one place up to another that pass each condition, and have tags. */
  readonly passed?: readonly (readonly [from: number, below: number])[];
  readonly counted?: readonly (number | null)[];
  readonly isIndexed?: boolean;
}

function planned(filter: ItemFilter, facts: Facts = {}) {
  const { order = 'newest', offset = 0, tagged = 0, isIndexed = true } = facts;
  const conditions = conditionsOf(filter);
  const query: PageQuery = {
    userId: '1',
    conditions,
    sortKey: sortKeyOf({
      filter,
      order,
      page: { count: 30, offset },
      timeOrder: facts.timeOrder ?? 'time_added',
    }),
    page: { count: 30, offset },
    withTotal: false,
    hasTexts: isIndexed,
  };
  const kept = {
    items: ITEMS,
    stamp: 0,
    facetCounts: FACET_COUNTS,
    tagged,
    hasSearchIndex: isIndexed,
  };
  const sample = facts.passed && {
    passed: Array.from({ length: 400 }, (_, at) =>
      (facts.passed ?? []).reduce(
        (bits, [from, below], bit) => bits | (from <= at && at < below ? 1 << bit : 0),
        0,
      ),
    ),
    counted: facts.counted ?? [null, null],
  };
  return choosePlans(query, listSizes(kept, conditions, sample));
}

const WALK = { kind: 'walk', over: 'items' };
const SET = { kind: 'set', sieves: [], reads: 'rows' };
const NONE = [0, 0] as const;

describe('choosePlans', () => {
  it.each(['newest', 'oldest', 'title', 'site'] as const)(
    'walks the index of %s for the whole list',
    (order) => {
      expect(planned({}, { order })).toEqual({ complete: WALK });
    },
  );

  it('walks on when many items have the facet', () => {
    expect(planned({ state: 'archive' }, { order: 'title' })).toEqual({ complete: WALK });
  });

  it('sorts a facet that few items have, when the page begins late', () => {
    const plans = planned({ favorite: true }, { offset: 1900 });

    expect(plans).toEqual({ complete: { ...SET, by: 'facet' } });
  });

  it('walks a tag in the order of time', () => {
    const plans = planned({ tag: { key: 'later' } }, { tagged: 54_000 });

    expect(plans).toEqual({ complete: { kind: 'walk', over: 'item_tags' } });
  });

  it('sorts the items of a rare tag by title', () => {
    const plans = planned({ tag: { key: 'rare' } }, { tagged: 80, order: 'title' });

    expect(plans).toEqual({ complete: { ...SET, by: 'tag' } });
  });

  it('looks at the first titles for a common tag, then at all with the tag in a set', () => {
    const plans = planned(
      { tag: { key: 'later' } },
      {
        tagged: 54_000,
        order: 'title',
        passed: [
          [0, 108],
          [0, 108],
        ],
      },
    );

    expect(plans).toEqual({
      quick: { ...WALK, window: expect.any(Number) },
      complete: { ...SET, by: 'tag', reads: 'order' },
    });
  });

  it.each(['zqxj', 'é', '語'])(
    'looks a rare search for %s up among the pairs and letters',
    (search) => {
      const plans = planned({ search }, { passed: [NONE] });

      expect(plans).toEqual({ complete: { ...SET, by: 'search' } });
    },
  );

  it('reads the newest texts for a common search', () => {
    const { quick } = planned({ search: 'the' }, { passed: [[0, 200]] });

    expect(quick).toEqual({ ...WALK, over: 'item_search', window: expect.any(Number) });
  });

  it('reads as far as where a search was seen, and further than that', () => {
    const { quick } = planned({ search: 'the' }, { passed: [[100, 300]] });

    expect(quick).toMatchObject({ over: 'item_search' });
    expect((quick as { window: number }).window).toBeGreaterThan(ITEMS / 4);
    expect((quick as { window: number }).window).toBeLessThan(ITEMS / 2);
  });

  it('intersects the sets of a search and a facet that exclude each other in the sample', () => {
    const plans = planned(
      { search: 'perl', favorite: true },
      {
        passed: [
          [0, 4],
          [100, 150],
        ],
      },
    );

    expect(plans.complete).toMatchObject({ kind: 'set' });
  });

  it.each([
    ['a single character', 'q', true, 'item_search'],
    ['a list without a search index', 'zqxj', false, 'items'],
  ])('makes no set of a search for %s', (_what, search, isIndexed, over) => {
    const plans = planned({ search }, { passed: [NONE], isIndexed });

    expect(plans.complete).toEqual({ ...WALK, over });
  });

  it('reads a small domain whole', () => {
    const plans = planned(
      { domain: 'example.com' },
      { passed: [NONE], counted: [12], order: 'site' },
    );

    expect(plans).toEqual({ complete: { ...SET, by: 'domain' } });
  });

  it('follows the hosts of a large domain in the order of their URLs', () => {
    const plans = planned(
      { domain: 'example.com' },
      { passed: [[200, 260]], counted: [3000], order: 'site' },
    );

    expect(plans.complete).toEqual({ kind: 'hosts' });
  });

  it.each([
    ['of archived items', { state: 'archive' }, 'time_read', WALK],
    ['of favorites', { favorite: true }, 'time_favorited', WALK],
    ['of anything else', {}, 'time_read', { kind: 'plain' }],
    ['of what is no favorite', { favorite: false }, 'time_favorited', { ...SET, by: 'facet' }],
  ] as const)(
    'knows which items the index of another time holds: %s',
    (_what, filter, timeOrder, complete) => {
      expect(planned(filter, { timeOrder })).toEqual({ complete });
    },
  );

  it('leaves one item to PostgreSQL', () => {
    expect(planned({ itemId: '4503599627370497' }, { passed: [NONE] }).complete).toEqual({
      kind: 'plain',
    });
  });
});
