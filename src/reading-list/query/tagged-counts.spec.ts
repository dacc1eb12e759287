import { conditionsOf } from './conditions.js';
import { inReadingOrder, tagIdsOf } from './tagged-counts.js';

describe('inReadingOrder', () => {
  it('begins with the most frequent tag if an item needs only one of them', () => {
    const conditions = conditionsOf({ anyTag: ['rare', 'often', 'new'] });
    const [rare = '', often = '', unused = ''] = tagIdsOf(conditions);
    const counts = new Map([
      [rare, 1],
      [often, 9],
      [unused, 0],
    ]);

    expect(tagIdsOf(inReadingOrder(conditions, counts))).toEqual([often, rare, unused]);
  });

  it('begins with the rarest tag if an item needs all of them', () => {
    const conditions = conditionsOf({ tags: ['often', 'rare'] });
    const [often = '', rare = ''] = tagIdsOf(conditions);
    const counts = new Map([
      [often, 9],
      [rare, 1],
    ]);

    expect(inReadingOrder(conditions, counts)).toEqual([
      { kind: 'tag', id: rare },
      { kind: 'tags', ids: [often] },
    ]);
  });
});
