import { DataSource } from 'typeorm';

import { PageCursorRepository } from '../../src/reading-list/get/page-cursor.repository.js';
import { dataSourceOptions } from '../support/data-source-options.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;
let dataSource: DataSource;
let cursors: PageCursorRepository;

beforeAll(async () => {
  database = await aDatabase();
  dataSource = await new DataSource(dataSourceOptions(database.connection, 2)).initialize();
  cursors = PageCursorRepository.in(dataSource.manager);
});
beforeEach(() => database.query('TRUNCATE page_cursors'));
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** Inserts one cursor for each age in seconds. Its offset equals its age. */
const note = (userId: string, from: number, to: number) =>
  database.query(
    `INSERT INTO page_cursors (user_id, question, page_offset, version, position, since, total, readers, noted_at)
     SELECT $1, '', age, 1, '', 1, 0, 1, now() - age * interval '1 second'
     FROM generate_series($2::int, $3::int) age`,
    [userId, from, to],
  );
const left = () =>
  database.query(
    `SELECT user_id, min(page_offset)::int AS newest, max(page_offset)::int AS oldest, count(*)::int
     FROM page_cursors GROUP BY user_id ORDER BY user_id`,
  );

describe('page cursors', () => {
  it('are deleted after eleven minutes', async () => {
    await note('1', 1, 60);
    await note('1', 661, 800);
    await cursors.sweep();

    expect(await left()).toEqual([{ user_id: '1', newest: 1, oldest: 60, count: 60 }]);
  });

  it('are trimmed to the latest ones of a given user, and of no other user', async () => {
    await note('1', 1, 250);
    await note('2', 1, 250);
    await cursors.trim('1');
    await cursors.trim('3');

    expect(await left()).toEqual([
      { user_id: '1', newest: 1, oldest: 201, count: 201 },
      { user_id: '2', newest: 1, oldest: 250, count: 250 },
    ]);
  });
});
