// Checks of calls that the original's apps and devices make besides get, add and send.
import assert from 'node:assert/strict';

const RULE = 'further endpoint';
const JSON_PLEASE = { headers: { 'X-Accept': 'application/json' } };
const DIGITS = /^\d+$/;
/** Codes for a missing article: the page has not been fetched yet, or has no article. */
const NO_ARTICLE = [413, 415, 503];

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

async function annotated(work) {
  const item_id = await work.save();
  const annotation_id = `${work.marker}-${item_id}`;
  const annotation = { annotation_id, quote: 'A passage', patch: '', version: 2 };
  const { action_results } = await work.ok(
    work.send([{ action: 'add_annotation', item_id, annotation }]),
  );
  assert.deepEqual(action_results, [true], 'add_annotation is refused');
  return { item_id, annotation_id };
}

export const FURTHER = [
  {
    name: 'fetch',
    rule: RULE,
    says: '/v3/fetch is a get with total as text and passthrough, by which a client goes on',
    run: async (work) => {
      const id = await work.save();
      const { list, total, passthrough } = await work.ok(work.call('/v3/fetch', { chunk: 3 }));
      assert.ok(isObject(list) && list[id], 'the newest item is not on the first page');
      assert.match(total, DIGITS);
      const { firstChunkSize, fetchChunkSize, chunk } = passthrough ?? {};
      assert.match(String(firstChunkSize), DIGITS, 'no firstChunkSize');
      assert.match(String(fetchChunkSize), DIGITS, 'no fetchChunkSize');
      assert.equal(String(chunk), '3');
    },
  },
  {
    name: 'stats',
    rule: RULE,
    says: '/v3/stats counts the items, those that are read and those that are not',
    run: async (work) => {
      const counts = async () => {
        const body = await work.ok(work.call('/v3/stats'));
        return [body.count_list, body.count_read, body.count_unread].map(Number);
      };
      const [all, read, unread] = await counts();
      const item_id = await work.save();
      await work.ok(work.send([{ action: 'archive', item_id }]));
      await work.save();
      assert.deepEqual(await counts(), [all + 2, read + 1, unread + 1]);
    },
  },
  {
    name: 'annotations',
    rule: RULE,
    says: 'add_annotation and delete_annotation; items show what they have with annotations=1',
    run: async (work) => {
      const { item_id, annotation_id } = await annotated(work);
      const { annotations } = await work.item(item_id, { annotations: 1 });
      assert.ok(Array.isArray(annotations), `annotations is ${JSON.stringify(annotations)}`);
      const [{ annotation_id: id, quote }] = annotations;
      assert.deepEqual([id, quote], [annotation_id, 'A passage']);
      await work.ok(work.send([{ action: 'delete_annotation', annotation_id }]));
      const item = await work.item(item_id, { annotations: 1 });
      assert.deepEqual(item.annotations ?? [], [], 'it is not deleted');
    },
  },
  {
    name: 'has-annotations',
    rule: RULE,
    says: 'hasAnnotations=1 finds the items that have annotations alone',
    run: async (work) => {
      await work.save();
      const { item_id } = await annotated(work);
      assert.deepEqual(Object.keys(await work.mine({ hasAnnotations: 1 })), [item_id]);
    },
  },
  {
    name: 'suggested-tags',
    rule: RULE,
    says: '/v3/suggested_tags has tags with scores for an item and for a page',
    run: async (work) => {
      await work.save({ tags: work.marker });
      for (const members of [{ item_id: await work.save() }, { url: work.url() }]) {
        const { suggested_tags: tags } = await work.ok(work.call('/v3/suggested_tags', members));
        assert.ok(Array.isArray(tags) && tags.length > 0, 'no tags');
        for (const { tag, score } of tags) {
          assert.deepEqual([typeof tag, typeof score], ['string', 'number']);
        }
      }
    },
  },
  {
    name: 'article-view',
    rule: RULE,
    says: '/v3/text has article and images, or is refused with 413, 415 or 503 and both headers',
    run: async (work) => {
      const url = work.url();
      await work.save({ url });
      const { status, headers, body } = await work.call('/v3/text', { url, images: 1 });
      if (status === 200) {
        assert.equal(typeof body?.article, 'string', 'no article');
        assert.ok(isObject(body.images), `images is ${JSON.stringify(body.images)}`);
        return;
      }
      assert.ok(NO_ARTICLE.includes(status), `status ${status}`);
      assert.ok(headers['x-error'] && headers['x-error-code'], 'no X-Error or X-Error-Code');
    },
  },
  {
    name: 'guid',
    rule: RULE,
    says: '/v3/guid gives an application a new guid without a person',
    run: async (work) => {
      const { consumer_key } = work.credentials;
      const guid = async () =>
        (await work.ok(work.raw('/v3/guid', { members: { consumer_key } }))).guid;
      const [one, other] = [await guid(), await guid()];
      assert.ok(typeof one === 'string' && one !== '', `guid is ${JSON.stringify(one)}`);
      assert.notEqual(one, other, 'the same guid twice');
    },
  },
  {
    name: 'send-guid',
    rule: RULE,
    says: '/v3/send_guid takes reports without a person, and touches no list',
    run: async (work) => {
      const { consumer_key } = work.credentials;
      const item_id = await work.save();
      const actions = [{ action: 'pv' }, { action: 'archive', item_id }];
      const members = { consumer_key, guid: work.marker, actions };
      const { action_results } = await work.ok(work.raw('/v3/send_guid', { members }));
      assert.deepEqual([action_results?.length, action_results?.[1]], [2, false]);
      assert.equal((await work.item(item_id)).status, '0');
    },
  },
  {
    name: 'request-meta',
    rule: RULE,
    says: '/v3/oauth/request_meta tells which application a code belongs to',
    run: async (work) => {
      const asked = { redirect_uri: 'not_needed' };
      const { code } = await work.ok(work.call('/v3/oauth/request', asked, JSON_PLEASE));
      const meta = await work.ok(
        work.call('/v3/oauth/request_meta', { request_token: code }, JSON_PLEASE),
      );
      assert.ok(Number(meta.is_valid), `is_valid is ${JSON.stringify(meta.is_valid)}`);
      assert.ok(typeof meta.app_name === 'string' && meta.app_name !== '', 'no app_name');
    },
  },
];
