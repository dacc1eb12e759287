// Checks of lists: paging, changes, and deleted entries.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';

const sha1 = (text) => createHash('sha1').update(text).digest('hex');

const idsOf = ({ _embedded: { items } }) => items.map(({ id }) => id);

const inSeconds = (date) => Date.parse(date.replace(/(\d\d)$/, ':$1')) / 1000;

/** Saves entries with a tag of this check, which narrows lists to them. */
async function tagged(work, count) {
  const ids = [];
  for (let at = 0; at < count; at += 1) ids.push((await work.save({ tags: work.marker })).id);
  return ids;
}

const PAGES = [
  {
    name: 'envelope',
    rule: 'iOS, Frigoligo, Obsidian',
    says: 'page, limit, pages and total are integers beside _embedded.items and _links; an empty list has one page',
    run: async (work) => {
      const empty = await work.list({ tags: `${work.marker}none` });
      await tagged(work, 1);
      const some = await work.list({ tags: work.marker });
      const numbers = ({ page, limit, pages, total }) => [page, limit, pages, total];
      assert.deepEqual(numbers(empty), [1, 30, 1, 0]);
      assert.deepEqual(numbers(some), [1, 30, 1, 1]);
      for (const { _embedded, _links } of [empty, some]) {
        assert.ok(Array.isArray(_embedded.items), '_embedded.items');
        assert.equal(typeof _links.self.href, 'string');
      }
    },
  },
  {
    name: 'beyond-the-last',
    rule: 'iOS',
    says: 'a page beyond the last is 404 with JSON that has no _embedded: with 200 the iOS app never ends',
    run: async (work) => {
      await tagged(work, 1);
      for (const query of [{ tags: work.marker, page: 2 }, { page: 2_000_000_000 }]) {
        const { status, body } = await work.get('entries', query);
        assert.equal(status, 404, `page ${query.page}: status ${status}`);
        assert.ok(body !== undefined && !('_embedded' in body), 'JSON without _embedded');
      }
    },
  },
  {
    name: 'pages',
    rule: 'Android, iOS',
    says: 'pages have every entry once, by id in both directions, and metadata without content',
    run: async (work) => {
      const ids = await tagged(work, 5);
      for (const order of ['asc', 'desc']) {
        const found = [];
        for (let page = 1; page <= 3; page += 1) {
          const query = { tags: work.marker, sort: 'created', order, page, perPage: 2 };
          const list = await work.list({ ...query, detail: 'metadata' });
          assert.equal(list.pages, 3);
          assert.deepEqual([...new Set(list._embedded.items.map((one) => one.content))], [null]);
          found.push(...idsOf(list));
        }
        assert.deepEqual(order === 'asc' ? found : found.reverse(), ids);
      }
    },
  },
  {
    name: 'per-page',
    rule: 'Frigoligo, Plato, wallabag-client',
    says: 'perPage is honoured up to 300; above its limit the answer tells the truth; 0, negative and blank are 30',
    run: async (work) => {
      const limitOf = async (perPage) => (await work.list({ perPage, detail: 'metadata' })).limit;
      for (const perPage of [1, 50, 100, 300]) assert.equal(await limitOf(perPage), perPage);
      const { limit, total, pages } = await work.list({ perPage: 100_000, detail: 'metadata' });
      assert.ok(limit >= 300, `limit ${limit}`);
      assert.equal(pages, Math.max(1, Math.ceil(total / limit)));
      for (const perPage of [0, -1, '']) assert.equal(await limitOf(perPage), 30, `${perPage}`);
    },
  },
  {
    name: 'blank-parameters',
    rule: 'Obsidian, wallabag_api, Android',
    says: 'blank, zero and unknown parameters are as if they were not sent',
    run: async (work) => {
      const [id] = await tagged(work, 1);
      const blank = { tags: '', since: 0, domain_name: '', sort: '', archive: '', nothing: 'x' };
      assert.equal(idsOf(await work.list({ ...blank, perPage: 1 }))[0], id);
      const saved = await work.save({ published_at: '', original_url: '', authors: '' });
      assert.equal(typeof saved.id, 'number');
    },
  },
  {
    name: 'many-calls',
    rule: 'iOS, Frigoligo',
    says: 'a hundred calls in a row meet no limit: an app takes a refusal for the end of the list',
    run: async (work) => {
      for (let at = 0; at < 100; at += 1) {
        const { status } = await work.get('entries', { perPage: 1, detail: 'metadata' });
        assert.equal(status, 200, `call ${at + 1}: status ${status}`);
      }
    },
  },
];

const CHANGES = [
  {
    name: 'since',
    rule: 'Android, Plato',
    says: 'since gives what changed after that second, and not in it',
    run: async (work) => {
      const [id] = await tagged(work, 1);
      const seen = inSeconds((await work.entry(id)).updated_at);
      const after = async (since) => idsOf(await work.list({ since, tags: work.marker }));
      assert.deepEqual(await after(seen), []);
      assert.deepEqual(await after(seen - 1), [id]);
    },
  },
  {
    name: 'states',
    rule: 'KOReader, Obsidian, Kindle consumer',
    says: 'archive, starred and tags narrow a list, several tags to what has all of them',
    run: async (work) => {
      const [one, other] = await tagged(work, 2);
      const both = `${work.marker},${work.marker}b`;
      await work.change(one, { archive: 1, starred: 1, tags: both });
      const found = async (query) => idsOf(await work.list({ tags: work.marker, ...query }));
      assert.deepEqual(await found({ archive: 1 }), [one]);
      assert.deepEqual(await found({ archive: 0 }), [other]);
      assert.deepEqual(await found({ starred: 1 }), [one]);
      assert.deepEqual(await found({ tags: both }), [one]);
    },
  },
  {
    name: 'connection-test',
    rule: 'Android',
    says: 'exists of wallabag-apiwrapper-test.example.com, without a scheme, is {"exists":false}',
    run: async (work) => {
      const url = 'wallabag-apiwrapper-test.example.com';
      assert.deepEqual(await work.ok(work.get('entries/exists', { url })), { exists: false });
    },
  },
  {
    name: 'exists',
    rule: 'Wallabagger, Android',
    says: 'exists finds an entry by its URL and by the hash of it, with return_id its id or null',
    run: async (work) => {
      const { id, given_url: url } = await work.save();
      const exists = async (query) => (await work.ok(work.get('entries/exists', query))).exists;
      const hashed_url = sha1(url);
      assert.deepEqual([await exists({ url }), await exists({ hashed_url })], [true, true]);
      assert.equal(await exists({ hashed_url, return_id: 1 }), id);
      assert.equal(await exists({ hashed_url: sha1(work.marker), return_id: 1 }), null);
    },
  },
  {
    name: 'exists-many',
    rule: 'Android',
    says: 'exists takes 80 hashed_urls[] and answers an object with each of them',
    run: async (work) => {
      const { id, given_url: url } = await work.save();
      const hashes = [sha1(url)];
      for (let at = 1; at < 80; at += 1) hashes.push(sha1(`${work.marker}${at}`));
      const pairs = hashes.map((hash) => ['hashed_urls[]', hash]);
      const query = new URLSearchParams([...pairs, ['return_id', '1']]);
      const found = await work.ok(work.get('entries/exists.json', query));
      assert.deepEqual(Object.keys(found).sort(), [...hashes].sort());
      assert.deepEqual([found[hashes[0]], found[hashes[1]]], [id, null]);
    },
  },
];

export const LISTS = [...PAGES, ...CHANGES];
