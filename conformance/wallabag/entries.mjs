// Checks of entries: saving, changing, deleting and exporting them.
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';

import { assertText } from './shape.mjs';

const LARGEST = 2 ** 31 - 1;
/** Changes are compared in whole seconds. */
const NEXT_SECOND_MS = 1100;

const labelsOf = ({ tags }) => tags.map(({ label }) => label).sort();

export const ENTRIES = [
  {
    name: 'writes-are-200',
    rule: 'Frigoligo, KOReader, Kindle consumer',
    says: 'saving, tagging, changing and deleting answer exactly 200 with an object',
    run: async (work) => {
      const { id } = await work.save();
      const tagged = await work.ok(
        work.call('POST', `entries/${id}/tags`, { members: { tags: work.marker } }),
      );
      await work.change(id, { starred: 1 });
      const [tag] = tagged.tags;
      await work.ok(work.call('DELETE', `entries/${id}/tags/${tag.id}`));
      const { text } = await work.call('DELETE', `entries/${id}`);
      assert.match(text, /^\{/);
    },
  },
  {
    name: 'save-again',
    rule: 'Android, Wallabagger',
    says: 'a page that is saved again keeps its id, its state and its time; tags are added',
    run: async (work) => {
      const { id, given_url: url, created_at } = await work.save({ tags: `${work.marker}a` });
      await work.change(id, { archive: 1, starred: 1 });
      const again = await work.save({ url, tags: `${work.marker}b` });
      assert.deepEqual(
        [again.id, again.is_archived, again.is_starred, again.created_at],
        [id, 1, 1, created_at],
      );
      assert.deepEqual(labelsOf(again), [`${work.marker}a`, `${work.marker}b`]);
    },
  },
  {
    name: 'unreadable-page',
    rule: 'Android',
    says: 'a page that cannot be read is saved all the same, with a title and a note',
    run: async (work) => {
      const url = `https://${work.marker}.invalid/page`;
      const entry = await work.save({ url });
      assertText(entry, 'title');
      assert.equal(typeof (await work.entry(entry.id)).content, 'string');
    },
  },
  {
    name: 'sent-content',
    rule: 'iOS, Wallabagger',
    says: 'title and content that come with a page are those of its entry',
    run: async (work) => {
      const text = `${work.marker} says what it says. `.repeat(20);
      const saved = await work.save({ title: work.marker, content: `<p>${text}</p>` });
      assert.equal(saved.title, work.marker);
      const isRead = async () =>
        (await work.entry(saved.id)).content?.includes(`${work.marker} says`);
      assert.ok(await work.until(isRead), 'the content is another one');
    },
  },
  {
    name: 'bodies',
    rule: 'all',
    says: 'JSON, a form and the query are taken; numbers, booleans and texts; tags as text or an array; null is absent',
    run: async (work) => {
      const [one, two] = [`${work.marker}a`, `${work.marker}b`];
      const ways = [
        { members: { tags: [one, two], starred: true, title: null } },
        { members: { tags: `${one},${two}`, starred: '1' } },
        { members: { tags: `${one},${two}`, starred: 1 }, as: 'form' },
        { query: { tags: `${one},${two}`, starred: 1 } },
      ];
      for (const way of ways) {
        const { id, title } = await work.save();
        const changed = await work.ok(work.call('PATCH', `entries/${id}`, way));
        assert.deepEqual(labelsOf(changed), [one, two], JSON.stringify(way));
        assert.deepEqual([changed.is_starred, changed.title], [1, title], JSON.stringify(way));
      }
      await work.save({}, { as: 'form' });
    },
  },
  {
    name: 'empty-json-body',
    rule: 'iOS, Frigoligo, Wallabagger',
    says: 'Content-Type: application/json with an empty body is taken on GET, PATCH and DELETE',
    run: async (work) => {
      const { id } = await work.save();
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const headers = { 'Content-Type': 'application/json' };
        await work.ok(work.call(method, `entries/${id}`, { headers }));
      }
    },
  },
  {
    name: 'delete',
    rule: 'iOS, Android',
    says: 'a deletion answers the entry with its id, or with expect=id the id alone; then all is 404',
    run: async (work) => {
      const [one, other] = [await work.save(), await work.save()];
      const deleted = await work.ok(work.call('DELETE', `entries/${one.id}`));
      assert.deepEqual([deleted.id, deleted.title], [one.id, one.title]);
      const query = { expect: 'id' };
      const id = await work.ok(work.call('DELETE', `entries/${other.id}`, { query }));
      assert.deepEqual(id, { id: other.id });
      for (const [method, path] of [
        ['GET', `entries/${one.id}`],
        ['GET', `entries/${one.id}/tags`],
        ['DELETE', `entries/${one.id}`],
      ])
        assert.equal((await work.call(method, path)).status, 404, `${method} ${path}`);
    },
  },
  {
    name: 'changes-move',
    rule: 'Android, Frigoligo',
    says: 'archiving, starring, a title and tags move updated_at, and created_at stays',
    run: async (work) => {
      const changes = [{ archive: 1 }, { starred: 1 }, { title: 'x' }, { tags: work.marker }];
      const before = [];
      for (const _ of changes) before.push(await work.save());
      await setTimeout(NEXT_SECOND_MS);
      for (const [at, { id, updated_at, created_at }] of before.entries()) {
        const changed = await work.change(id, changes[at]);
        assert.ok(changed.updated_at > updated_at, `updated_at of ${JSON.stringify(changes[at])}`);
        assert.equal(changed.created_at, created_at);
      }
    },
  },
  {
    name: 'epub',
    rule: 'KOReader, Android',
    says: 'an export is an EPUB that begins with its mimetype, and 404 is JSON',
    run: async (work) => {
      const { id } = await work.save();
      const { status, text } = await work.get(`entries/${id}/export.epub`);
      assert.equal(status, 200);
      assert.match(text.slice(0, 80), /^PK[^]{20,28}mimetypeapplication\/epub\+zip/);
      const gone = await work.get(`entries/${LARGEST}/export.epub`);
      assert.equal(gone.status, 404);
      assert.ok(gone.body, 'no JSON');
    },
  },
];
