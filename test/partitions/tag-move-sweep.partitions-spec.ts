import { ListTransactions } from '../../src/reading-list/list-transactions.js';
import { TagMoveRepository } from '../../src/reading-list/tag-moves/tag-move.repository.js';
import { TagMoveSweep } from '../../src/reading-list/tag-moves/tag-move-sweep.js';
import { INTERVALS_ONLY } from '../support/fake-intervals.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const TURNS = 6;

let app: TestApp;

beforeAll(async () => {
  // Stops the application's own sweeps, which run at other times.
  jest.useFakeTimers(INTERVALS_ONLY);
  app = await aTestApp();
});
afterAll(async () => {
  await app.close();
  jest.useRealTimers();
});

it('the sweep of interrupted tag moves includes all servers in the first of every six turns', async () => {
  const person = await ReadingListApi.of(app);
  const sweep = new TagMoveSweep(app.app.get(TagMoveRepository), app.app.get(ListTransactions));
  const hadLeft: boolean[] = [];

  for (let turn = 0; turn <= TURNS; turn += 1) {
    await person.saved('https://example.com/', { tags: 'old' });
    await app.database.query(`
      INSERT INTO tag_moves (user_id, source_id, source)
      SELECT user_id, tag_id, name FROM tags ON CONFLICT DO NOTHING`);
    await sweep.sweepInTurn();
    hadLeft.push((await app.database.query('SELECT FROM tag_moves')).length === 0);
    await sweep.sweep();
  }

  expect(hadLeft).toEqual([true, false, false, false, false, false, true]);
});
