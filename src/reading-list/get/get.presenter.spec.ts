import { anItemRow } from '../../../test/support/an-item-row.js';
import { Dialect } from '../../auth/consumers/entities/consumer-key.entity.js';
import { parseRequest } from '../../pocket-api/parse-request.js';
import { DIALECT_RULES } from '../dialect-rules.js';
import type { ItemRow } from '../entities/item.entity.js';
import { type FoundItems, presentGet, presentGetJson } from './get.presenter.js';
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

/** Returns the response as JSON. It must be the same as the JSON that is written from parts. */
function json(found: Partial<FoundItems>, members = {}, rules = STANDARD): string {
  const query = parseRequest(GetRequest, members).toQuery(rules, { oldest: 0, newest: 2 ** 53 });
  const all = { ...NOTHING, ...found };
  const whole = JSON.stringify(presentGet(all, query, rules));
  expect(`${presentGetJson(all, query, rules).slice(0, -1)},"since":${all.since}}`).toBe(whole);
  return whole;
}

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

  it('shows the same item at other positions, and with other details', () => {
    const [first, second] = ['4503599627370496', '4503599627370497'].map((itemId) =>
      anItemRow({
        ...{ item_id: itemId, given_title: ',"sort_id":0, "sort_id":7', tags: [',"sort_id":0'] },
        ...{ given_url: 'http://example.com/,"sort_id":0', word_count: 500, is_article: 1 },
      }),
    );

    for (const rows of [
      [first!, second!],
      [second!, first!],
    ]) {
      for (const members of [{}, { tags: 1 }, { detailType: 'complete' }, {}]) {
        const { list } = JSON.parse(json({ rows }, members));
        const [top] = rows;
        expect(list[top!.item_id]).toMatchObject({ sort_id: 0, given_title: top!.given_title });
        expect('tags' in list[top!.item_id]).toBe(Object.keys(members).length > 0);
      }
    }
  });

  it('shows new annotations and another passage of the same item', () => {
    const rows = [rowOf('4503599627370496')];
    const passages = (words: string) =>
      new Map([['4503599627370496', [{ text: words, isMatch: true }]]]);
    const shown = ['one', 'another'].map((words) =>
      JSON.parse(json({ rows, passages: passages(words) })),
    );

    expect(shown.map(({ list }) => list['4503599627370496'].passage)).toMatchObject([
      { text: 'one' },
      { text: 'another' },
    ]);
    expect(JSON.parse(json({ rows })).list['4503599627370496']).not.toHaveProperty('passage');
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
