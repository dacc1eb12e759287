import { SpeedSearchGrams1764400100000 } from '../../src/database/migrations/1764400100000-speed-search-grams.js';
import { ListsOnPostgres } from '../support/a-list.js';

const TEXTS = ['', 'a', 'é', 'ab', 'aaaa', 'naïve café', '東京 の 本', '🧺🧺x', `a'b"c\\d`, 'x\ny'];

let lists: ListsOnPostgres;

beforeAll(async () => {
  lists = await ListsOnPostgres.start();
});
afterAll(() => lists.stop());

const grams = (): Promise<object[]> =>
  lists.tables.query(
    `SELECT folded, array(SELECT DISTINCT gram FROM unnest(search_grams(7, folded)) gram ORDER BY gram) AS grams
     FROM unnest($1::text[]) folded`,
    [TEXTS],
  );

describe('the grams of a text', () => {
  it('are what they were before the function was made faster, so that indexes stay right', async () => {
    const runner = lists.dataSource.createQueryRunner();
    const after = await grams();
    await new SpeedSearchGrams1764400100000().down(runner);
    const before = await grams();
    await new SpeedSearchGrams1764400100000().up(runner);
    await runner.release();

    expect(after).toEqual(before);
    expect(await grams()).toEqual(before);
    expect(JSON.stringify(before)).toMatch(/\["?-?\d/);
  });
});
