// Synchronisation by since.
import assert from 'node:assert/strict';

/** All pages of a delta: other checks of this run have deleted items too. */
async function changesSince(work, since) {
  const list = {};
  for (let offset = 0; ; offset += 30) {
    const page = await work.ok(work.get({ since, state: 'all', count: 30, offset }));
    Object.assign(list, page.list);
    if (Object.keys(page.list).length < 30) return { list, complete: page.complete };
  }
}

export const SINCE = [
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
      const idle = async () => {
        const { since } = await work.ok(work.get({ count: 1 }));
        return work.ok(work.get({ since, state: 'all', search: work.marker }));
      };
      // Whole seconds: what changed in the second of the first answer may come twice.
      let { list } = await idle();
      for (let n = 0; n < 5 && Object.keys(list).length > 0; n += 1) {
        await new Promise((resolve) => setTimeout(resolve, 1000));
        ({ list } = await idle());
      }
      assert.deepEqual(list, {});
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
      const later = (since + 600) * 1000;
      assert.deepEqual(
        (await work.ok(work.get({ since: later }))).list,
        {},
        'milliseconds are seconds',
      );
    },
  },
];
