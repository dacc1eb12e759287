import { ListsOnPostgres } from '../support/a-list.js';

let lists: ListsOnPostgres;

beforeAll(async () => {
  lists = await ListsOnPostgres.start();
});
afterAll(() => lists.stop());

const saved = (from: number, to: number): object[] =>
  Array.from({ length: to - from }, (_, n) => ({
    action: 'add',
    url: `https://example.com/${from + n}`,
  }));

/** Sends actions in calls of the maximum size of clients. */
async function sendAll(userId: string, actions: readonly object[]): Promise<void> {
  for (let at = 0; at < actions.length; at += 1000) {
    await lists.send(userId, actions.slice(at, at + 1000));
  }
}

const believed = async (): Promise<number> => {
  const [items] = await lists.tables.query<{ reltuples: number }>(
    `SELECT reltuples FROM pg_class WHERE oid = 'items'::regclass`,
  );
  return items!.reltuples;
};

describe('planner statistics of the table of items', () => {
  it('are updated when a list becomes large, and later by autovacuum only', async () => {
    const [first, second] = [await lists.aUser(), await lists.aUser()];
    await lists.tables.query('ALTER TABLE items SET (autovacuum_enabled = false)');

    await sendAll(first, saved(0, 4000));
    const before = await believed();
    await sendAll(first, saved(4000, 5001));
    const after = await believed();
    await sendAll(second, saved(0, 4000));
    const with4000More = await believed();

    expect([before, after, with4000More]).toEqual([-1, 5001, 5001]);
  });

  it('can be updated for two large lists at once', async () => {
    const people = [await lists.aUser(), await lists.aUser()];
    await lists.tables.query('UPDATE pg_class SET reltuples = 0 WHERE oid = $1::regclass', [
      'items',
    ]);

    await Promise.all(people.map((user) => sendAll(user, saved(0, 4900))));
    const last = people.map((user) => lists.send(user, saved(4900, 5001)));
    const sent = await Promise.allSettled(last);

    expect(sent.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await believed()).toBeGreaterThan(5000);
  });
});
