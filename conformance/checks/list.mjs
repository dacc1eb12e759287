// Checks of /v3/get.
import assert from 'node:assert/strict';

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

const DIGITS = /^\d+$/;
const STRINGS = [
  ...['item_id', 'resolved_id', 'favorite', 'status', 'is_article', 'has_image', 'has_video'],
  ...['word_count', 'time_added', 'time_updated', 'time_read', 'time_favorited'],
];
const NUMBERS = ['sort_id', 'time_to_read', 'listen_duration_estimate'];

/** Returns the given ids in text order. Parsing would reorder them. */
const idsInText = (text, ids) =>
  Array.from(text.matchAll(/"(\d+)":\{"item_id"/g), ([, id]) => id).filter((id) =>
    ids.includes(id),
  );

export const LIST = [
  {
    name: 'empty-list',
    rule: 'rules 7, 10; checklist 3',
    says: 'an empty list is {}, with status 1 or 2, error null, complete 1, since',
    run: async (work) => {
      const body = await work.ok(work.get({ search: `${work.marker}-nothing` }));
      assert.deepEqual(body.list, {});
      assert.ok([1, 2].includes(body.status), `status ${JSON.stringify(body.status)}`);
      assert.deepEqual([body.error, body.complete, typeof body.since], [null, 1, 'number']);
    },
  },
  {
    name: 'list-by-id',
    rule: 'rule 7',
    says: 'list is an object whose keys are item ids',
    run: async (work) => {
      const id = await work.save();
      const list = await work.mine();
      assert.ok(isObject(list), 'list is no object');
      assert.equal(list[id]?.item_id, id);
    },
  },
  {
    name: 'item-id',
    rule: 'rule 8',
    says: 'item_id is text of digits below 2^53, and is taken back as text and as a number',
    run: async (work) => {
      const id = await work.save();
      const { item_id } = await work.item(id);
      assert.equal(typeof item_id, 'string');
      assert.match(item_id, DIGITS);
      assert.ok(Number(item_id) < 2 ** 53, 'not below 2^53');
      await work.ok(work.send([{ action: 'favorite', item_id: Number(id) }]));
      assert.equal((await work.item(id)).favorite, '1', 'as a number it is another item');
    },
  },
  {
    name: 'item-types',
    rule: 'rule 9, checklist 5',
    says: 'flags, counts and times are text of digits; sort_id and time_to_read are numbers',
    run: async (work) => {
      const item = await work.item(await work.save());
      for (const name of STRINGS) {
        assert.equal(typeof item[name], 'string', `${name} is ${JSON.stringify(item[name])}`);
        assert.match(item[name], DIGITS, `${name} is ${JSON.stringify(item[name])}`);
      }
      for (const name of NUMBERS.filter((name) => name in item)) {
        assert.equal(typeof item[name], 'number', `${name} is ${JSON.stringify(item[name])}`);
      }
      assert.equal(typeof item.sort_id, 'number', 'no sort_id');
    },
  },
  {
    name: 'envelope',
    rule: 'rule 10, checklist 5',
    says: 'since and status are numbers; total is text with total=1',
    run: async (work) => {
      await work.save();
      const body = await work.ok(work.get({ search: work.marker, total: '1' }));
      assert.deepEqual([body.status, typeof body.since], [1, 'number']);
      assert.equal(typeof body.total, 'string');
      assert.match(body.total, DIGITS);
      assert.ok(Number(body.total) >= 1);
    },
  },
  {
    name: 'resolved-members',
    rule: 'rule 11',
    says: 'resolved_url and resolved_title are never empty, resolved_id is digits',
    run: async (work) => {
      const item = await work.item(await work.save({ title: 'A title' }));
      assert.ok(item.resolved_url, 'no resolved_url');
      assert.ok(item.resolved_title, 'no resolved_title');
      assert.match(item.resolved_id, DIGITS);
    },
  },
  {
    name: 'offset',
    rule: 'rule 13',
    says: 'offset works with since and with search; a page past the end is empty',
    run: async (work) => {
      await work.save();
      await work.save();
      const { since } = await work.ok(work.get({ count: 1 }));
      for (const members of [{ search: work.marker }, { since: since - 3600 }]) {
        const page = async (offset) =>
          Object.keys(
            (await work.ok(work.get({ state: 'all', count: 1, ...members, offset }))).list,
          );
        const [first, second] = [await page(0), await page(1)];
        assert.deepEqual([first.length, second.length], [1, 1]);
        assert.notDeepEqual(first, second, `offset is ignored with ${Object.keys(members)[0]}`);
        assert.deepEqual(await page(100_000), [], 'a page past the end has items');
      }
    },
  },
  {
    name: 'count-is-clamped',
    rule: 'rule 14',
    says: 'a count above the limit is no error',
    run: async (work) => {
      for (const count of [31, '1000', 5001]) await work.ok(work.get({ count }));
    },
  },
  {
    name: 'tags',
    rule: 'rule 15, checklist 7',
    says: 'tags is {name: {item_id, tag}}, absent or {} when there are none',
    run: async (work) => {
      const [tagged, bare] = [await work.save({ tags: work.marker }), await work.save()];
      const [{ tags }, { tags: none }] = [await work.item(tagged), await work.item(bare)];
      assert.equal(tags?.[work.marker]?.tag, work.marker, `tags is ${JSON.stringify(tags)}`);
      assert.equal(tags[work.marker].item_id, tagged);
      assert.deepEqual(none ?? {}, {});
    },
  },
  {
    name: 'media',
    rule: 'rule 16',
    says: 'images, videos and authors are objects or absent',
    run: async (work) => {
      const item = await work.item(await work.save());
      for (const name of ['image', 'images', 'videos', 'authors'].filter((name) => name in item)) {
        assert.ok(isObject(item[name]), `${name} is ${JSON.stringify(item[name])}`);
      }
    },
  },
  {
    name: 'order-of-keys',
    rule: 'checklist 6',
    says: 'the keys of list stand in the order of the sort',
    run: async (work) => {
      const ids = [];
      for (const title of ['m', 'z', 'a', 'q'])
        ids.push(await work.save({ title: `${work.marker} ${title}` }));
      const order = async (sort) =>
        idsInText((await work.get({ search: work.marker, sort, count: 30 })).text, ids);
      const up = await order('oldest');
      assert.equal(up.length, ids.length, 'items are missing');
      const list = await work.mine({ sort: 'oldest' });
      const places = up.map((id) => list[id].sort_id);
      assert.deepEqual(
        places,
        [...places].sort((one, other) => one - other),
      );
      const added = up.map((id) => Number(list[id].time_added));
      assert.deepEqual(
        added,
        [...added].sort((one, other) => one - other),
      );
    },
  },
  {
    name: 'order-of-adding',
    rule: 'checklist 6',
    says: 'items of one send, and of adds in a row, come in the order in which they were added',
    run: async (work) => {
      const urls = Array.from({ length: 10 }, () => work.url());
      await work.ok(work.send(urls.slice(0, 6).map((url) => ({ action: 'add', url }))));
      for (const url of urls.slice(6)) await work.save({ url });
      const order = async (sort) =>
        Object.values(await work.mine({ sort }))
          .sort((one, other) => one.sort_id - other.sort_id)
          .map(({ given_url }) => given_url);
      assert.deepEqual(await order('oldest'), urls);
      assert.deepEqual(await order('newest'), [...urls].reverse());
    },
  },
];
