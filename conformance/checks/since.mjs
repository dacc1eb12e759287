// Checks of synchronization by `since`.
import assert from 'node:assert/strict';

/** Fetches all pages of a delta, since other checks of this run have deleted items too. */
async function changesSince(work, since, members = { state: 'all' }) {
  const list = {};
  for (let offset = 0; ; offset += 30) {
    const page = await work.ok(work.get({ since, ...members, count: 30, offset }));
    Object.assign(list, page.list);
    if (Object.keys(page.list).length < 30) return { list, complete: page.complete };
  }
}

/**
 * Returns changes of the check's items after the latest `since`, which `spelled` formats. Waits until there are none:
 * changes in the second of the first answer may be returned twice.
 */
async function idleList(work, spelled) {
  for (let tries = 1; ; tries += 1) {
    const { since } = await work.ok(work.get({ count: 1 }));
    const query = { since: spelled(since), state: 'all', search: work.marker };
    const { list } = await work.ok(work.get(query));
    if (tries === 6 || Object.keys(list).length === 0) return list;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

const PAGE = 2;
const MOST_PAGES = 500;

/** Reads all pages in order. Runs `meanwhile` after the first page. */
async function readInPages(work, members, meanwhile) {
  const list = {};
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const offset = page * PAGE;
    const { list: items, since } = await work.ok(
      work.get({ state: 'all', count: PAGE, ...members, offset }),
    );
    if (Object.keys(items).length === 0) return { list, since };
    Object.assign(list, items);
    if (page === 0) await meanwhile(Object.keys(items));
  }
  return assert.fail(`after ${MOST_PAGES} pages there is no empty one`);
}

/** Returns the list of a client that has read these pages, and then fetched changes by the last page's `since`. */
async function copyAfter(work, known, { list, since }) {
  const changes = await changesSince(work, since);
  const copy = Object.values({ ...known, ...list, ...changes.list });
  return Object.fromEntries(
    copy.filter(({ status }) => status !== '2').map((item) => [item.item_id, item]),
  );
}

export const SINCE = [
  {
    name: 'pages-meanwhile',
    rule: 'rule 13',
    says: 'a list and a delta that are read in pages miss nothing while another client deletes',
    run: async (work) => {
      const ids = [];
      for (let n = 0; n < 7; n += 1) ids.push(await work.save());
      const left = () => [...ids].sort();
      const deleteOneOf = async (page) => {
        const item_id = page.find((id) => ids.includes(id));
        assert.ok(item_id, 'the first page has no item of this run');
        ids.splice(ids.indexOf(item_id), 1);
        await work.ok(work.send([{ action: 'delete', item_id }]));
      };
      const whole = await readInPages(work, { search: work.marker }, deleteOneOf);
      const first = await copyAfter(work, {}, whole);
      assert.deepEqual(
        Object.keys(first)
          .filter((id) => ids.includes(id))
          .sort(),
        left(),
      );

      const { since } = await work.ok(work.get({ count: 1 }));
      await work.ok(work.send(ids.map((item_id) => ({ action: 'favorite', item_id }))));
      const delta = await readInPages(work, { since }, deleteOneOf);
      const second = Object.values(await copyAfter(work, first, delta));
      const favorites = second.filter(({ favorite }) => favorite === '1');
      assert.deepEqual(
        favorites
          .map(({ item_id }) => item_id)
          .filter((id) => id in first)
          .sort(),
        left(),
        'a change is in no page and in no later delta',
      );
    },
  },
  {
    name: 'filters-with-since',
    rule: 'specification, get',
    says: 'filters hold with since; stubs of deleted items come only for all states without a filter',
    run: async (work) => {
      const [unread, read, gone] = [
        await work.save({ tags: work.marker }),
        await work.save({ tags: work.marker }),
        await work.save({ tags: work.marker }),
      ];
      const { since } = await work.ok(work.get({ count: 1 }));
      await work.ok(
        work.send([
          { action: 'favorite', item_id: unread },
          { action: 'archive', item_id: read },
          { action: 'delete', item_id: gone },
        ]),
      );
      const found = async (members) => {
        const { list } = await changesSince(work, since, members);
        return [unread, read, gone].filter((id) => id in list);
      };
      assert.deepEqual(await found({ state: 'unread' }), [unread], 'state=unread');
      assert.deepEqual(await found({ state: 'archive' }), [read], 'state=archive');
      assert.deepEqual(await found({ state: 'all', favorite: 1 }), [unread], 'favorite=1');
      assert.deepEqual(await found({ state: 'all', tag: work.marker }), [unread, read], 'tag');
      assert.deepEqual(await found({ state: 'all' }), [unread, read, gone], 'state=all');
      assert.deepEqual(await found({}), [unread, read, gone], 'no filter');
    },
  },
  {
    name: 'tombstones',
    rule: 'rule 23, checklist 4',
    says: 'with since, deleted items come with status "2" and archived ones with "1"',
    run: async (work) => {
      const [gone, read] = [await work.save(), await work.save()];
      const { since } = await work.ok(work.get({ count: 1 }));
      await work.ok(
        work.send([
          { action: 'delete', item_id: gone },
          { action: 'archive', item_id: read },
        ]),
      );
      const { list, complete } = await changesSince(work, since);
      assert.equal(list[gone]?.status, '2', 'the deleted item is not told');
      assert.equal(list[gone].item_id, gone);
      assert.equal(list[read]?.status, '1', 'the archived item is not told');
      assert.equal(complete, 0);
    },
  },
  {
    name: 'since-again',
    rule: 'rule 10',
    says: 'the since of an answer gives nothing when nothing has changed',
    run: async (work) => {
      await work.save();
      assert.deepEqual(await idleList(work, (since) => since), {});
    },
  },
  {
    name: 'since-spellings',
    rule: 'rule 12, checklist 16',
    says: 'since is taken as text, with a fraction and in milliseconds',
    run: async (work) => {
      const id = await work.save();
      const { since } = await work.ok(work.get({ count: 1 }));
      const before = since - 600;
      for (const given of [String(before), `${before}.25`, before * 1000, `${before * 1000}`]) {
        const { list } = await work.ok(
          work.get({ since: given, state: 'all', search: work.marker }),
        );
        assert.ok(list[id], `nothing is found since ${given}`);
      }
      const idle = await idleList(work, (now) => now * 1000);
      assert.deepEqual(idle, {}, 'milliseconds are seconds');
    },
  },
];
