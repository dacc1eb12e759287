import { choosePlans } from './item.plan.js';
import type { ItemFilter, ItemsWanted } from './item-filter.js';
import { sortKeyOf } from './item-order.js';
import { listSizes } from './list-sizes.js';
import { conditionsOf } from './narrowing.js';
import type { PageQuery } from './plans/page-query.js';

const ITEMS = 200_000;
/** A fifth is archived, a hundredth favorite and archived as well. */
const FACET_COUNTS = [158_000, 40_000, 0, 2000, ...Array<number>(60).fill(0)];

interface Facts {
  readonly order?: ItemsWanted['order'];
  readonly timeOrder?: NonNullable<ItemsWanted['timeOrder']>;
  readonly offset?: number;
  readonly tagged?: number;
  /** Of 400 items, how many pass all conditions, and how many each of those that are estimated. */
  readonly sample?: readonly [number, ...number[]];
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
  const kept = { items: ITEMS, facetCounts: FACET_COUNTS, tagged, hasSearchIndex: isIndexed };
  const [all = 0, ...pass] = facts.sample ?? [];
  const sample =
    facts.sample === undefined
      ? undefined
      : { sampled: 400, all_pass: all, pass, counted: facts.counted ?? pass.map(() => null) };
  return choosePlans(query, listSizes(kept, conditions, sample));
}

const WALK = { kind: 'walk', over: 'items', sieves: [] };

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

    expect(plans).toEqual({ complete: { kind: 'set', by: 'facet' } });
  });

  it('walks a tag in the order of time', () => {
    const plans = planned({ tag: { key: 'later' } }, { tagged: 54_000 });

    expect(plans).toEqual({ complete: { kind: 'walk', over: 'item_tags', sieves: [] } });
  });

  it('sorts the items of a rare tag by title', () => {
    const plans = planned({ tag: { key: 'rare' } }, { tagged: 80, order: 'title' });

    expect(plans).toEqual({ complete: { kind: 'set', by: 'tag' } });
  });

  it('looks at the first titles for a common tag, then at all with the tag in a set', () => {
    const plans = planned({ tag: { key: 'later' } }, { tagged: 54_000, order: 'title' });

    expect(plans).toEqual({
      quick: { ...WALK, window: expect.any(Number) },
      complete: { ...WALK, sieves: ['tag'] },
    });
  });

  it('intersects the pairs of characters of a rare search', () => {
    const plans = planned({ search: 'zqxj' }, { sample: [0, 0] });

    expect(plans).toEqual({ complete: { kind: 'set', by: 'search' } });
  });

  it('reads the newest rows for a common search', () => {
    const { quick } = planned({ search: 'the' }, { sample: [200, 200] });

    expect(quick).toEqual({ ...WALK, over: 'item_search', window: expect.any(Number) });
  });

  it.each([
    ['a single character', 'q', true, 'item_search'],
    ['a list without a search index', 'zqxj', false, 'items'],
  ])('makes no set of a search for %s', (_what, search, isIndexed, over) => {
    const plans = planned({ search }, { sample: [0, 0], isIndexed });

    expect(plans).toEqual({ complete: { ...WALK, over } });
  });

  it('reads a small domain whole', () => {
    const plans = planned(
      { domain: 'example.com' },
      { sample: [0, 0], counted: [12], order: 'site' },
    );

    expect(plans).toEqual({ complete: { kind: 'set', by: 'domain' } });
  });

  it('follows the hosts of a large domain in the order of their URLs', () => {
    const plans = planned(
      { domain: 'example.com' },
      { sample: [60, 60], counted: [5000], order: 'site' },
    );

    expect(plans.complete).toEqual({ kind: 'hosts' });
  });

  it.each([
    ['of archived items', { state: 'archive' }, 'time_read', WALK],
    ['of favorites', { favorite: true }, 'time_favorited', WALK],
    ['of anything else', {}, 'time_read', { kind: 'plain' }],
    ['of what is no favorite', { favorite: false }, 'time_favorited', { kind: 'set', by: 'facet' }],
  ] as const)(
    'knows which items the index of another time holds: %s',
    (_what, filter, timeOrder, complete) => {
      expect(planned(filter, { timeOrder })).toEqual({ complete });
    },
  );

  it('leaves one item to PostgreSQL', () => {
    expect(planned({ itemId: '4503599627370497' }, { sample: [0, 0] }).complete).toEqual({
      kind: 'plain',
    });
  });
});
