import { whileHeld } from '../support/held-row.js';
import { aReader, locationOf, type Reader, seen, withMarked } from '../support/list-reader.js';
import { aVisitor } from '../support/oauth-api.js';
import { formIn, shownText } from '../support/page-visitor.js';
import { titlesAt } from '../support/shown-list.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

const TRASH = '/list/trash';
const GONE = 'These items are in your list again, or no longer in the trash.';

const deleted = (reader: Reader, ids: readonly string[]) =>
  withMarked(reader, { action: 'delete', 'item[]': ids });

/** Pretends that the items in the trash were deleted now. */
const NOW = `
  SELECT now::text, (extract(epoch FROM now) * 1000000)::bigint::text AS latest FROM clock_timestamp() AS now`;
const DELETED_AT = 'UPDATE deleted_items SET deleted_at = $2 WHERE user_id = $1';

describe('two tabs with the same trash', () => {
  it('agree if both restore, or one restores what the other has deleted', async () => {
    const reader = await aReader(app);
    const before = await seen(reader);
    const [a = '', b = ''] = reader.ids;
    await deleted(reader, [a, b]);
    const tab = await aVisitor(app, reader.api.user);
    const forms = await Promise.all(
      [reader, tab].map(async (visitor) => formIn(await visitor.open(TRASH).expect(200), TRASH)),
    );
    const [one, other] = forms;

    await Promise.all([
      reader.submit(one!, { one: `restore:${a}` }).expect(303),
      tab.submit(other!, { one: `restore:${a}` }).expect(303),
    ]);
    await reader.submit(one!, { one: `remove:${b}` }).expect(303);
    const late = await tab.submit(other!, { one: `restore:${b}` }).expect(303);

    expect(shownText(await tab.open(locationOf(late)), '.done')).toBe(GONE);
    expect(await seen(reader)).toEqual(before.filter((item) => !item.startsWith('b ')));
  });

  it('restore or delete an item, but never both', async () => {
    const reader = await aReader(app);
    const [a = ''] = reader.ids;
    const form = formIn(await deleted(reader, [a]).then(() => reader.open(TRASH)), TRASH);

    await Promise.all(
      ['restore', 'remove', 'restore', 'remove'].map((action) =>
        reader.submit(form, { one: `${action}:${a}` }).expect(303),
      ),
    );

    const isBack = (await seen(reader)).some((item) => item.startsWith('a '));
    expect(await titlesAt(reader, TRASH)).toEqual([]);
    const [row] = await app.database.query<{ rows: number }>(
      `SELECT count(*)::int AS rows FROM items WHERE user_id = $1 AND item_id = $2`,
      [reader.api.user.id, a],
    );
    expect(row?.rows).toBe(isBack ? 1 : 0);
  });
});

describe('a deletion that waits for another one', () => {
  it('stays in the trash if the user empties it up to the other one', async () => {
    const reader = await aReader(app);
    const [waiting = '', first = ''] = reader.ids;
    await deleted(reader, [first]);
    const list = await reader.form('/list', '/list/actions');
    const trash = formIn(await reader.open(`${TRASH}/empty`).expect(200), `${TRASH}/empty`);
    const other = await whileHeld<{ latest: string }>(app.database, {
      lock: 'SELECT FROM lists WHERE user_id = $1 FOR UPDATE',
      waiting: () =>
        reader
          .submit(list, { action: 'delete', 'item[]': [waiting] })
          .expect(303)
          .then(),
      // The transaction of the waiting deletion began before this time.
      change: async (holder) => {
        const now = await holder.query(NOW);
        await holder.query(DELETED_AT, [reader.api.user.id, now.rows[0].now]);
        return now;
      },
      values: [reader.api.user.id],
    });

    await reader.submit(trash, { until: other?.latest ?? '' }).expect(303);

    expect(await titlesAt(reader, TRASH)).toEqual(['a']);
  });
});
