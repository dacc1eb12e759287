// Checks of the ways to send calls.
import assert from 'node:assert/strict';

const listed = (answer) => Object.keys(answer.body?.list ?? {}).sort();

/** Checks that a call finds a page that was saved by the usual call. */
async function findsTheSame(work, calling) {
  const id = await work.save();
  const members = { state: 'all', search: work.marker, count: '30' };
  const answer = await calling(members);
  assert.equal(answer.status, 200, `status ${answer.status}: ${answer.text.slice(0, 200)}`);
  assert.ok(listed(answer).includes(id), 'the item is not in the list');
}

const PADDING = 'x'.repeat(200_000);

export const TRANSPORT = [
  {
    name: 'post-is-200',
    rule: 'rule 1',
    says: 'every POST answers 200, not 201',
    run: async (work) => {
      const answers = [
        await work.get({ count: 1 }),
        await work.call('/v3/add', { url: work.url() }),
        await work.send([]),
        await work.call('/v3/oauth/request', { redirect_uri: 'not_needed' }),
      ];
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 200],
      );
    },
  },
  {
    name: 'form-body',
    rule: 'rule 2',
    says: 'members come as a form',
    run: (work) => findsTheSame(work, (members) => work.get(members, { as: 'form' })),
  },
  {
    name: 'multipart-body',
    rule: 'rule 31',
    says: 'members come as multipart fields',
    run: (work) => findsTheSame(work, (members) => work.get(members, { as: 'multipart' })),
  },
  {
    name: 'query-of-post',
    rule: 'rule 2',
    says: 'members come in the query of a POST without a body',
    run: (work) =>
      findsTheSame(work, (members) =>
        work.raw('/v3/get', { query: { ...work.credentials, ...members } }),
      ),
  },
  {
    name: 'get-by-get',
    rule: 'rule 3',
    says: '/v3/get answers GET',
    run: (work) =>
      findsTheSame(work, (members) =>
        work.raw('/v3/get', { method: 'GET', query: { ...work.credentials, ...members } }),
      ),
  },
  {
    name: 'add-by-get',
    rule: 'rule 3',
    says: '/v3/add answers GET',
    run: async (work) => {
      const query = { ...work.credentials, url: work.url() };
      const { item } = await work.ok(work.raw('/v3/add', { method: 'GET', query }));
      await work.item(item.item_id);
    },
  },
  {
    name: 'head-changes-nothing',
    rule: 'RFC 9110 9.2.1',
    says: 'HEAD of /v3/add and of /v3/send changes nothing, whatever it answers',
    run: async (work) => {
      const item_id = await work.save();
      const actions = JSON.stringify([{ action: 'favorite', item_id }]);
      const head = (path, members) =>
        work.raw(path, { method: 'HEAD', query: { ...work.credentials, ...members } });
      await head('/v3/add', { url: work.url() });
      await head('/v3/send', { actions });
      const items = Object.values(await work.mine());
      assert.deepEqual(
        items.map(({ item_id: id, favorite }) => [id, favorite]),
        [[item_id, '0']],
        'HEAD has added an item, or changed one',
      );
    },
  },
  {
    name: 'send-by-get',
    rule: 'rule 3, checklist 11',
    says: '/v3/send answers GET with actions as JSON, encoded once or twice',
    run: async (work) => {
      for (const encode of [(json) => json, encodeURIComponent]) {
        const item_id = await work.save();
        const actions = encode(JSON.stringify([{ action: 'favorite', item_id }]));
        const query = { ...work.credentials, actions };
        await work.ok(work.raw('/v3/send', { method: 'GET', query }));
        assert.equal((await work.item(item_id)).favorite, '1');
      }
    },
  },
  {
    name: 'bracketed-query',
    rule: 'client-rules 5.4',
    says: 'actions[0][action]=… in the query of a POST are actions',
    run: async (work) => {
      const item_id = await work.save();
      const query = {
        ...work.credentials,
        'actions[0][action]': 'favorite',
        'actions[0][item_id]': item_id,
      };
      await work.ok(
        work.raw('/v3/send', { query, headers: { 'Content-Type': 'application/json' } }),
      );
      assert.equal((await work.item(item_id)).favorite, '1');
    },
  },
  {
    name: 'charset-utf8',
    rule: 'rule 4, checklist 1',
    says: 'Content-Type: application/json; charset=UTF8 works',
    run: (work) => findsTheSame(work, (members) => work.get(members, { as: 'json; charset=UTF8' })),
  },
  {
    name: 'trailing-slash',
    rule: 'rule 26',
    says: 'paths may end in a slash',
    run: async (work) => {
      await findsTheSame(work, (members) => work.call('/v3/get/', members));
      await work.ok(work.call('/v3/send/', { actions: [] }));
    },
  },
  {
    name: 'large-body',
    rule: 'rule 30',
    says: 'a send of 200 kB is taken',
    run: async (work) => {
      const item_id = await work.save();
      await work.ok(work.send([{ action: 'favorite', item_id, cxt_padding: PADDING }]));
      assert.equal((await work.item(item_id)).favorite, '1');
    },
  },
  {
    name: 'lenient-members',
    rule: 'rule 12',
    says: 'unknown members are ignored; null and blank are absent; numbers may be text',
    run: (work) =>
      findsTheSame(work, (members) =>
        work.get({
          ...members,
          ...{ guid: 'x', username: '1', forceaccount: '', time: 1, cxt_view: { a: [1] } },
          ...{ tag: null, since: null, domain: '', offset: '0' },
        }),
      ),
  },
];
