import { ITEMS, planned } from '../../../test/support/planned-page.js';
import type { ConditionKind } from './conditions.js';
import type { ItemFilter } from './items-wanted.js';

const SCAN = { kind: 'index scan', over: 'items', semiJoins: [] };
const idSet = (kind: ConditionKind) => ({ kind: 'id set', by: expect.objectContaining({ kind }) });
const semiJoin = (kind: ConditionKind) => ({
  ...SCAN,
  semiJoins: [expect.objectContaining({ kind })],
});
const NONE = [0, 0] as const;

describe('planPage', () => {
  it.each(['newest', 'oldest', 'title', 'site'] as const)(
    'scans the index of %s for the whole list',
    (order) => {
      expect(planned({}, { order })).toEqual({ complete: SCAN });
    },
  );

  it('scans when many items have the facet', () => {
    expect(planned({ state: 'archive' }, { order: 'title' })).toEqual({ complete: SCAN });
  });

  it('sorts a facet that few items have, when the page begins late', () => {
    const plans = planned({ favorite: true }, { offset: 1900 });

    expect(plans).toEqual({ complete: idSet('facet') });
  });

  it('counts a small set first, when the page leaves out more than seem to be in it', () => {
    const facts = {
      offset: 50_000,
      passed: [[0, 40] as const, [0, 200] as const],
    };
    const plans = planned({ search: 'needle', updatedBefore: 1 }, facts);

    expect(plans).toEqual({
      complete: expect.anything(),
      ends: { counted: expect.objectContaining({ kind: 'search' }) },
    });
    expect(planned({ search: 'needle', updatedBefore: 1 }, { ...facts, offset: 10_000 }).ends).toBe(
      undefined,
    );
  });

  it('looks for nothing early, when the list knows that fewer have the tag than the page leaves out', () => {
    const facts = {
      tagged: 4000,
      order: 'title',
      passed: [[0, 8] as const, [0, 8] as const],
    } as const;

    expect(planned({ tag: { key: 'some' } }, { ...facts, offset: 4000 })).not.toHaveProperty(
      'early',
    );
  });

  it.each([
    ['the few items of a delta', [0, 100] as const, false],
    ['the few items that are in no delta', [0, 300] as const, true],
  ])('counts %s', (_what, passed, isMost) => {
    const plans = planned({ since: 3 }, { passed: [passed], offset: 5000 });

    expect(plans.ends).toEqual({ isMost });
  });

  it('scans a tag in the order of time', () => {
    const plans = planned({ tag: { key: 'later' } }, { tagged: 54_000 });

    expect(plans).toEqual({ complete: { ...SCAN, over: 'item_tags' } });
  });

  it('scans the index by time of addition for a common language', () => {
    const plans = planned({ language: 'en' }, { passed: [[0, 300], NONE] });

    expect(plans).toEqual({ complete: SCAN });
  });

  it('reads the whole index by time of addition for a rare language in another order', () => {
    const facts = { order: 'title', passed: [NONE, NONE] } as const;

    expect(planned({ language: 'sv' }, facts)).toEqual({ complete: idSet('language') });
  });

  it.each<[string, ItemFilter]>([
    ['PDF documents', { isPdf: true }],
    ['failed pages', { isFetchFailed: true }],
  ])('reads the index of %s, of which there are few', (_what, filter) => {
    const plans = planned(
      { ...filter, progress: 'started' },
      { passed: [[0, 4], [0, 100], NONE], order: 'title' },
    );

    expect(plans.complete).toMatchObject(idSet(filter.isPdf ? 'pdf' : 'fetchFailed'));
  });

  it('begins with the reading positions for the items that the user has started', () => {
    const facts = { passed: [[398, 400], NONE] } as const;

    expect(planned({ progress: 'started' }, facts)).toEqual({ complete: idSet('progress') });
  });

  it('sorts the items of a rare tag by title', () => {
    const plans = planned({ tag: { key: 'rare' } }, { tagged: 80, order: 'title' });

    expect(plans).toEqual({ complete: idSet('tag') });
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
      early: { ...SCAN, window: expect.any(Number) },
      complete: semiJoin('tag'),
    });
  });

  it.each(['zqxj', 'é', '語'])(
    'looks a rare search for %s up among the pairs and letters',
    (search) => {
      const plans = planned({ search }, { passed: [NONE] });

      expect(plans).toEqual({ complete: idSet('search') });
    },
  );

  it('reads the newest texts for a common search, and the others if these are too few, in one scan', () => {
    const plans = planned({ search: 'the' }, { passed: [[0, 200]] });

    expect(plans).toEqual({ complete: { ...SCAN, over: 'item_search' } });
  });

  it('reads as far as where a search was seen, and further, for as long as the search index would take', () => {
    const { early } = planned({ search: 'the' }, { passed: [[40, 80]] });

    expect(early).toMatchObject({ over: 'item_search' });
    expect((early as { window: number }).window).toBeGreaterThan(ITEMS / 10);
    expect((early as { window: number }).window).toBeLessThan(ITEMS / 2);
  });

  it('looks up an id set where a search and a facet exclude each other in the sample', () => {
    const plans = planned(
      { search: 'perl', favorite: true },
      {
        passed: [
          [0, 4],
          [100, 150],
        ],
      },
    );

    expect(plans.complete).toMatchObject({ kind: 'id set' });
  });

  it.each([
    ['a single character', 'q', true, 'item_search'],
    ['a list without a search index', 'zqxj', false, 'items'],
  ])('makes no set of a search for %s', (_what, search, isIndexed, over) => {
    const plans = planned({ search }, { passed: [NONE], isIndexed });

    expect(plans.complete).toEqual({ ...SCAN, over });
  });

  it('reads a small domain whole', () => {
    const plans = planned({ domain: 'example.com' }, { passed: [NONE], order: 'title' });

    expect(plans).toEqual({ complete: idSet('domain') });
  });

  it('follows the hosts of a large domain in the order of their URLs', () => {
    const plans = planned({ domain: 'example.com' }, { passed: [[200, 260]], order: 'site' });

    expect(plans.complete).toEqual({ kind: 'hosts' });
  });

  it.each([
    ['of archived items', { state: 'archive' }, 'time_read', SCAN],
    ['of favorites', { favorite: true }, 'time_favorited', SCAN],
    ['of anything else', {}, 'time_read', { kind: 'plain' }],
    ['of what is no favorite', { favorite: false }, 'time_favorited', idSet('facet')],
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
