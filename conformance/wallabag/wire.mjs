// Checks of paths, types and errors for all calls.
import assert from 'node:assert/strict';

export const WIRE = [
  {
    name: 'content-type',
    rule: 'wallabag-client',
    says: 'Content-Type is application/json and nothing behind it, of lists, entries, tokens and errors',
    run: async (work) => {
      const answers = {
        list: await work.get('entries', { perPage: 1 }),
        entry: await work.saving(),
        token: await work.logIn(),
        refusal: await work.get('entries/0'),
      };
      for (const [what, { headers }] of Object.entries(answers))
        assert.equal(headers['content-type'], 'application/json', what);
    },
  },
  {
    name: 'json-suffix',
    rule: 'all',
    says: 'every path answers with .json and without it, and sends no call elsewhere',
    run: async (work) => {
      const { id } = await work.save();
      for (const suffix of ['', '.json']) {
        for (const path of ['entries', 'tags', `entries/${id}`, `entries/${id}/tags`, 'version'])
          await work.ok(work.get(`${path}${suffix}`, { detail: 'metadata' }));
        const members = { url: work.url() };
        await work.ok(work.call('POST', `entries${suffix}`, { members }));
        await work.ok(work.call('PATCH', `entries/${id}${suffix}`, { members: { starred: 1 } }));
      }
    },
  },
  {
    name: 'errors-are-json',
    rule: 'Wallabagger, iOS, Plato',
    says: 'an unknown entry, an unknown path, and a save without a URL or with none are refused in JSON',
    run: async (work) => {
      const answers = [
        [await work.get('entries/2147483647'), [404]],
        [await work.get('nothing'), [404]],
        [await work.call('POST', 'entries', { members: { url: '' } }), [400]],
        [await work.call('POST', 'entries', { members: { title: 'x' } }), [400]],
      ];
      for (const [{ status, body }, statuses] of answers) {
        assert.ok(statuses.includes(status), `status ${status}`);
        assert.equal(typeof body, 'object', 'no JSON');
        if (status === 400) assert.equal(typeof (body.error_description ?? body.message), 'string');
      }
    },
  },
];
