import { anItemRow } from '../../../test/support/an-item-row.js';
import { Dialect } from '../../auth/consumers/entities/consumer-key.entity.js';
import { parseRequest } from '../../pocket-api/parse-request.js';
import { DIALECT_RULES } from '../dialect-rules.js';
import type { ItemRow } from '../entities/item.entity.js';
import { type FoundItems, presentGet } from './get.presenter.js';
import { GetRequest } from './get.request.js';

const STANDARD = DIALECT_RULES[Dialect.Standard];
const CLASSIC = DIALECT_RULES[Dialect.Classic];

const rowOf = (itemId: string): ItemRow =>
  anItemRow({ item_id: itemId, given_url: 'http://example.com', tags: ['a'] });

const NOTHING: FoundItems = {
  rows: [],
  tombstones: [],
  size: 0,
  isDelta: false,
  since: 1583723171,
  version: 1583723171,
};

const json = (found: Partial<FoundItems>, members = {}, rules = STANDARD): string =>
  JSON.stringify(
    presentGet(
      { ...NOTHING, ...found },
      parseRequest(GetRequest, members).toQuery(rules, { oldest: 0, newest: 2 ** 53 }),
      rules,
    ),
  );

describe('presentGet', () => {
  it.each([
    ['standard', STANDARD, 1],
    ['classic', CLASSIC, 2],
  ])('is an envelope around no items in %s', (_, rules, status) => {
    expect(json({}, {}, rules)).toBe(
      `{"status":${status},"complete":1,"list":{},"error":null,"search_meta":{"search_type":"normal"},` +
        `"maxActions":30,"cachetype":"db","since":1583723171}`,
    );
  });

  it('lists the items in their order, with their position, under their ids', () => {
    const ids = ['9007199254740991', '4503599627370496', '4503599627370497'];

    const text = json({ rows: ids.map(rowOf) }, {}, CLASSIC);

    expect(text.match(/"\d{16}":\{"item_id":"\d{16}"/g)).toEqual(
      ids.map((id) => `"${id}":{"item_id":"${id}"`),
    );
    const { status, list } = JSON.parse(text);
    expect(status).toBe(1);
    expect(ids.map((id) => list[id].sort_id)).toEqual([0, 1, 2]);
    expect(list[ids[0]!]).not.toHaveProperty('tags');
  });

  it('shows the details that are wanted', () => {
    const { list } = JSON.parse(json({ rows: [rowOf('4503599627370496')] }, { tags: 1 }));

    expect(list['4503599627370496'].tags).toEqual({
      a: { item_id: '4503599627370496', tag: 'a' },
    });
  });

  it('shows the stubs of deleted items behind the items of a delta', () => {
    const tombstones = [{ item_id: '4503599627370498' }];
    const text = json({ rows: [rowOf('4503599627370499')], tombstones, isDelta: true });

    expect(JSON.parse(text).complete).toBe(0);
    expect(text.match(/"\d{16}":/g)).toEqual(['"4503599627370499":', '"4503599627370498":']);
    expect(text).toContain(
      '"4503599627370498":{"item_id":"4503599627370498","status":"2","listen_duration_estimate":0}',
    );
  });

  it('is not empty when something was deleted', () => {
    const tombstones = [{ item_id: '4503599627370498' }];

    expect(JSON.parse(json({ tombstones, isDelta: true }, {}, CLASSIC)).status).toBe(1);
  });

  it('has the total as text and the names of the tags, if they are known', () => {
    expect(JSON.parse(json({ total: 10, tagNames: ['a'] }))).toMatchObject({
      total: '10',
      tags: ['a'],
    });
    expect(JSON.parse(json({ total: 0, tagNames: [] }))).toMatchObject({ total: '0', tags: [] });
  });

  it.each([
    [{ search: 'x' }, undefined, {}],
    [{ total: 1 }, 31, {}],
    [
      { search: 'x', total: 1 },
      31,
      { total_result_count: 31, count: 30, offset: 0, has_more: true },
    ],
    [
      { search: 'x', total: 1, offset: 1 },
      31,
      { total_result_count: 31, count: 30, offset: 1, has_more: false },
    ],
  ])('tells with %j what is known of a search for %s', (members, total, meta) => {
    const { search_meta } = JSON.parse(json(total === undefined ? {} : { total }, members));

    expect(search_meta).toEqual({ search_type: 'normal', ...meta });
  });
});
