import type { MigrationInterface } from 'typeorm';

import { SpeedSearchGrams1764400100000 } from '../../src/platform/database/migrations/1764400100000-speed-search-grams.js';
import { SpeedSearchGramsAgain1765602000000 } from '../../src/platform/database/migrations/1765602000000-speed-search-grams-again.js';
import { ListsOnPostgres } from '../support/a-list.js';

const COMBINED = 'e\u0301e\u0301 \u0301';
const FAMILY = '👩‍👩‍👧';
const TEXTS = [
  ...['', ' ', 'a', 'é', '🧺', '\u0301', '\u200D', 'ab', 'éa', 'aé', '🧺a', 'a🧺', '東京'],
  ...['aaaa', 'éééé', '🧺🧺x', '\u{10FFFF}\u{10FFFF}', 'ababab', `${'x'.repeat(3000)}é`],
  ...['naïve café', '東京 の 本', COMBINED, FAMILY, 'שָׁלוֹם', 'İıßſ', '\uFEFFa\uFFFD'],
  ...[`a'b"c\\d`, 'x\ny', '\t\r\n', '{a,b}', '{"NULL",NULL}', 'null', '%_', '$1 $$ \\x00'],
];

/** Reverting a migration restores the previous version of the function. */
const LATEST_FIRST: readonly MigrationInterface[] = [
  new SpeedSearchGramsAgain1765602000000(),
  new SpeedSearchGrams1764400100000(),
];

let lists: ListsOnPostgres;

beforeAll(async () => {
  lists = await ListsOnPostgres.start();
});
afterAll(() => lists.stop());

interface Grams {
  readonly folded: string;
  readonly grams: readonly string[];
}

const grams = (): Promise<Grams[]> =>
  lists.tables.query(
    `SELECT folded, search_grams(owner, folded) AS grams
     FROM unnest($1::text[]) folded, unnest(ARRAY[7, 9223372036854775807, -1]) owner`,
    [TEXTS],
  );

const asSets = (found: readonly Grams[]): unknown[] =>
  found.map(({ folded, grams: those }) => [folded, [...new Set(those)].sort()]);

const lengthOf = (found: readonly Grams[], text: string): number | undefined =>
  found.find(({ folded }) => folded === text)?.grams.length;

describe('search_grams', () => {
  it('returns the same grams as its earlier, slower versions', async () => {
    const runner = lists.dataSource.createQueryRunner();
    const [latest, first] = LATEST_FIRST;
    const now = await grams();
    await latest?.down(runner);
    const joined = await grams();
    await first?.down(runner);
    const byPlaces = await grams();
    await first?.up(runner);
    await latest?.up(runner);
    await runner.release();

    expect(now).toEqual(joined);
    expect(asSets(now)).toEqual(asSets(byPlaces));
    expect(await grams()).toEqual(now);
    expect(TEXTS.slice(0, 8).map((text) => lengthOf(now, text))).toEqual([0, 0, 0, 1, 1, 1, 1, 1]);
  });
});
