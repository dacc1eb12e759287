// Checks of /v3/add and /v3/send.
import assert from 'node:assert/strict';

const DATE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

export const CHANGES = [
  {
    name: 'add-answer',
    rule: 'checklist 9',
    says: 'the item of add has text members, dates as YYYY-MM-DD HH:mm:ss, collections even if empty',
    run: async (work) => {
      const { item, status } = await work.ok(work.call('/v3/add', { url: work.url() }));
      assert.equal(status, 1);
      for (const name of ['item_id', 'resolved_id', 'has_image', 'has_video', 'word_count']) {
        assert.match(item[name], /^\d+$/, `${name} is ${JSON.stringify(item[name])}`);
        assert.equal(typeof item[name], 'string', name);
      }
      for (const name of ['date_resolved', 'date_published']) assert.match(item[name], DATE, name);
      for (const name of ['authors', 'images', 'videos']) assert.equal(typeof item[name], 'object');
    },
  },
  {
    name: 'add-twice',
    rule: 'checklist 8',
    says: 'a page that is added again keeps its id and is favorite still, and unread',
    run: async (work) => {
      const url = work.url();
      const item_id = await work.save({ url });
      await work.ok(
        work.send([
          { action: 'favorite', item_id },
          { action: 'archive', item_id },
        ]),
      );
      assert.equal(await work.save({ url }), item_id);
      const { favorite, status } = await work.item(item_id);
      assert.deepEqual({ favorite, status }, { favorite: '1', status: '0' });
    },
  },
  {
    name: 'mixed-actions',
    rule: 'rules 17, 18; checklist 10',
    says: 'results and errors stand beside their actions; a failure stops no other',
    run: async (work) => {
      const item_id = await work.save();
      const url = work.url();
      const body = await work.ok(
        work.send([
          { action: 'archive', item_id },
          { action: 'no_such_action', item_id },
          { action: 'add', url },
        ]),
      );
      const [archived, unknown, added] = body.action_results;
      assert.deepEqual([archived, unknown, Boolean(added)], [true, false, true]);
      assert.equal(typeof body.status, 'number');
      const [none, error, noneAgain] = body.action_errors;
      assert.deepEqual([none, noneAgain], [null, null]);
      assert.equal(error?.code, 130);
      assert.ok(error.message && error.type, 'the error has no message or type');
    },
  },
  {
    name: 'malformed-action',
    rule: 'checklist 12',
    says: 'a malformed element does not keep the others from being done',
    run: async (work) => {
      const item_id = await work.save();
      for (const malformed of [null, 'x', {}, { action: 'favorite' }, []]) {
        await work.ok(work.send([malformed, { action: 'favorite', item_id }]));
        assert.equal(
          (await work.item(item_id)).favorite,
          '1',
          `beside ${JSON.stringify(malformed)}`,
        );
        await work.ok(work.send([{ action: 'unfavorite', item_id }]));
      }
    },
  },
  {
    name: 'add-url-wins',
    rule: 'rule 19, checklist 11',
    says: 'action add with an item_id and a url goes by the url; other actions take a url',
    run: async (work) => {
      const urls = [work.url(), work.url()];
      await work.ok(
        work.send([
          { action: 'add', item_id: 0, url: urls[0] },
          { action: 'add', item_id: '12345', url: urls[1] },
        ]),
      );
      const added = Object.values(await work.mine()).map(({ given_url }) => given_url);
      for (const url of urls) assert.ok(added.includes(url), `${url} is not added`);
      await work.ok(work.send([{ action: 'favorite', url: urls[0] }]));
      const items = Object.values(await work.mine());
      assert.equal(items.find(({ given_url }) => given_url === urls[0]).favorite, '1');
    },
  },
  {
    name: 'readd',
    rule: 'rule 18',
    says: 'archive and readd move an item there and back',
    run: async (work) => {
      const item_id = await work.save();
      const moved = async (action) => {
        const { action_results } = await work.ok(work.send([{ action, item_id }]));
        assert.ok(action_results[0], `${action} is refused`);
        return (await work.item(item_id)).status;
      };
      assert.deepEqual([await moved('archive'), await moved('readd')], ['1', '0']);
    },
  },
  {
    name: 'time-in-milliseconds',
    rule: 'rule 20',
    says: 'the time of an action may be in milliseconds',
    run: async (work) => {
      const item_id = await work.save();
      // Not based on `since`, which may be ahead of the clock: the server replaces future times by the current time.
      const earlier = Number((await work.item(item_id)).time_added) - 100;
      const time = earlier * 1000;
      await work.ok(work.send([{ action: 'archive', item_id, time }]));
      const { status, time_read } = await work.item(item_id);
      assert.equal(status, '1');
      assert.equal(time_read, String(earlier));
    },
  },
  {
    name: 'tags-as-array',
    rule: 'rule 21',
    says: 'tags may be an array or text with commas, in actions and in add',
    run: async (work) => {
      const tags = [`${work.marker}a`, `${work.marker}b`];
      const added = await work.save({ tags });
      const sent = await work.save({ tags: tags.join(',') });
      await work.ok(work.send([{ action: 'tags_replace', item_id: sent, tags }]));
      for (const id of [added, sent]) {
        assert.deepEqual(Object.keys((await work.item(id)).tags ?? {}).sort(), tags);
      }
    },
  },
  {
    name: 'delete',
    rule: 'rule 23',
    says: 'a deleted item is no longer in the list',
    run: async (work) => {
      const item_id = await work.save();
      const { action_results } = await work.ok(work.send([{ action: 'delete', item_id }]));
      assert.ok(action_results[0]);
      assert.notEqual(Object.keys(await work.mine()).includes(item_id), true);
    },
  },
];
