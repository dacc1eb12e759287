import { UserRepository } from '../../src/auth/user.repository.js';
import { ListsOnPostgres } from '../support/a-list.js';

let lists: ListsOnPostgres;

beforeAll(async () => {
  lists = await ListsOnPostgres.start();
});
afterAll(() => lists.stop());

const ADD = { action: 'add', url: 'https://example.com/a' };
const itemCount = async (user: string): Promise<number> =>
  (await lists.tables.query(`SELECT FROM items WHERE user_id = $1`, [user])).length;

describe('a list whose owner is deleted', () => {
  it('rejects its first change', async () => {
    const user = await lists.aUser();
    await lists.tables.query(`DELETE FROM users WHERE id = $1`, [user]);

    await expect(lists.send(user, [ADD])).rejects.toMatchObject({ code: 'invalid_access_token' });
  });

  it('rejects further changes and has no items left', async () => {
    const user = await lists.aUser();
    await lists.send(user, [ADD]);
    await lists.tables.query(`DELETE FROM users WHERE id = $1`, [user]);

    await expect(lists.send(user, [ADD])).rejects.toMatchObject({ code: 'invalid_access_token' });
    expect(await itemCount(user)).toBe(0);
  });

  it.each(['first', 'second'])('has no items if deleted during the %s change', async (which) => {
    const user = await lists.aUser();
    if (which === 'second') {
      await lists.send(user, [ADD]);
    }
    const deleted = lists.database.transaction((manager) =>
      UserRepository.in(manager).deleteAccount(user),
    );

    const sent = await Promise.allSettled(
      [1, 2, 3, 4].map((n) =>
        lists.send(user, [{ action: 'add', url: `https://example.com/${n}` }]),
      ),
    );
    await deleted;

    for (const one of sent) {
      expect(one.status === 'fulfilled' || one.reason.code).toEqual(
        one.status === 'fulfilled' || 'invalid_access_token',
      );
    }
    expect(await itemCount(user)).toBe(0);
  });
});
