// Checks the members of an entry and their types. Some apps reject the whole list if one member has a wrong type.
import assert from 'node:assert/strict';

const LARGEST = 2 ** 31 - 1;
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}$/;
const WEB_ADDRESS = /^https?:\/\/[^/]/;

const assertId = (id, what) =>
  assert.ok(Number.isInteger(id) && id >= 1 && id <= LARGEST, `${what} ${JSON.stringify(id)}`);

export const assertText = (entry, name) =>
  assert.ok(typeof entry[name] === 'string' && entry[name] !== '', `${name} is no text`);

/** Asserts that a member is null or passes the test. */
const assertNullOr = (test, entry, name) =>
  assert.ok(
    entry[name] === null || test(entry[name]),
    `${name} is ${JSON.stringify(entry[name]) ?? 'missing'}`,
  );

const isText = (value) => typeof value === 'string';

const isObject = (value) =>
  typeof value === 'object' && !Array.isArray(value) && Object.values(value).every(isTextOrNull);

const isTextOrNull = (value) => value === null || isText(value);

export const SHAPE = [
  {
    name: 'ids',
    rule: 'Android, KOReader, iOS',
    says: 'ids of entries and tags are integers of 31 bits that grow and are not given again',
    run: async (work) => {
      const first = await work.save({ tags: work.marker });
      await work.call('DELETE', `entries/${first.id}`);
      const second = await work.save({ url: first.given_url, tags: work.marker });
      for (const { id, user_id, tags } of [first, second]) {
        assertId(id, 'id');
        assertId(user_id, 'user_id');
        for (const tag of tags) assertId(tag.id, 'id of a tag');
      }
      assert.ok(second.id > first.id, `${second.id} after ${first.id}`);
    },
  },
  {
    name: 'flags',
    rule: 'Android, iOS, Frigoligo',
    says: 'is_archived and is_starred are 0 or 1, is_public is a boolean',
    run: async (work) => {
      const { id, ...fresh } = await work.save();
      const changed = await work.change(id, { archive: 1, starred: 1 });
      assert.deepEqual([fresh.is_archived, fresh.is_starred], [0, 0]);
      assert.deepEqual([changed.is_archived, changed.is_starred], [1, 1]);
      assert.equal(typeof changed.is_public, 'boolean');
    },
  },
  {
    name: 'dates',
    rule: 'Go clients, Plato, iOS',
    says: 'dates are 2026-11-22T13:41:00+0000: no fraction, no Z, no colon in the offset',
    run: async (work) => {
      const { id } = await work.save();
      const entry = await work.change(id, { archive: 1, starred: 1 });
      for (const name of ['created_at', 'updated_at', 'archived_at', 'starred_at'])
        assert.match(String(entry[name]), DATE, name);
      assertNullOr((value) => DATE.test(value), entry, 'published_at');
      const back = await work.change(id, { archive: 0, starred: 0 });
      assert.deepEqual([back.archived_at, back.starred_at], [null, null]);
    },
  },
  {
    name: 'filled-members',
    rule: 'KOReader, Android, Obsidian, Frigoligo',
    says: 'title, addresses and user are texts, reading_time is a number, tags and annotations are arrays, from the first answer on',
    run: async (work) => {
      const saved = await work.save();
      for (const entry of [saved, await work.entry(saved.id)]) {
        for (const name of ['title', 'url', 'given_url', 'user_name', 'user_email'])
          assertText(entry, name);
        assert.ok(Number.isInteger(entry.reading_time), 'reading_time');
        for (const name of ['tags', 'annotations']) assert.ok(Array.isArray(entry[name]), name);
      }
    },
  },
  {
    name: 'nullable-members',
    rule: 'Frigoligo, Android, wallabag-api (Rust)',
    says: 'headers is an object of texts or null, http_status a text or null, published_by an array of texts or null; none is missing',
    run: async (work) => {
      const entry = await work.save();
      assertNullOr(isObject, entry, 'headers');
      for (const name of ['http_status', 'uid', 'language', 'mimetype', 'origin_url'])
        assertNullOr(isText, entry, name);
      const isArray = (value) => Array.isArray(value) && value.every(isText);
      assertNullOr(isArray, entry, 'published_by');
      assertNullOr((value) => WEB_ADDRESS.test(value), entry, 'preview_picture');
    },
  },
  {
    name: 'tags',
    rule: 'Android, iOS, Obsidian',
    says: 'a tag is id, label in lower case and slug, keeps its id, and is counted in the list of tags',
    run: async (work) => {
      const label = `${work.marker}X`;
      const entries = [await work.save({ tags: label }), await work.save({ tags: label })];
      const [[one], [other]] = entries.map(({ tags }) => tags);
      assert.equal(one.label, label.toLowerCase());
      assert.equal(typeof one.slug, 'string');
      assert.equal(one.id, other.id);
      const tags = await work.ok(work.get('tags'));
      assert.equal(tags.find(({ id }) => id === one.id)?.nbEntries, 2);
    },
  },
];
