import fc from 'fast-check';

import { exportCall } from '../support/export-call.js';
import { ImportApi } from '../support/import-api.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { unzipped } from '../support/unzipped.js';

const NOW = Math.floor(Date.now() / 1000);
const RUNS = 15;

let app: TestApp;
let key: string;

beforeAll(async () => {
  app = await aTestApp();
  key = (await ReadingListApi.of(app)).consumerKey;
});
afterAll(() => app.close());

const exported = async (api: ReadingListApi, format: string): Promise<Buffer> =>
  (await exportCall(app, api, { format }).expect(200)).body as Buffer;

/** Imports the file into a new user's empty list. */
async function moved(file: Buffer): Promise<ReadingListApi> {
  const api = await ReadingListApi.of(app, { key });
  const job = await new ImportApi(app, api).imported(file);
  expect(job).toMatchObject({ state: 'done', refused: 0, incomplete: 0 });
  return api;
}

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .filter((one) => one.trim() !== '' && one.trim() !== 'null' && !one.includes('\u0000'));
/** Excludes characters that a list would change, and commas. `|` separates the tags of Pocket's CSV. */
const tag = fc
  .stringMatching(/^[\p{L}\p{N}"'&<>=+. -]{1,20}$/u)
  .filter((one) => /\p{L}/u.test(one));
const time = fc.integer({ min: 1, max: NOW });
const saved = fc.record({
  path: fc.stringMatching(/^[a-z0-9]{1,8}$/),
  title: fc.option(fc.oneof(text, fc.constantFrom('=1+1', 'a "b"\nc,d', '</a>', '\u202eשלום 🧺'))),
  tags: fc.uniqueArray(tag, { maxLength: 4, selector: (one) => one.trim().toLowerCase() }),
  isArchived: fc.boolean(),
  isFavorite: fc.boolean(),
  times: fc.tuple(time, time, time),
  quotes: fc.array(text, { maxLength: 2 }),
});
type Saved = typeof saved extends fc.Arbitrary<infer T> ? T : never;
const library = fc.uniqueArray(saved, { maxLength: 30, selector: ({ path }) => path });

function actionsFor(item: Saved, at: number): object[] {
  const url = `https://example.com/${item.path}`;
  const [added, read, favorited] = item.times;
  const { title, tags } = item;
  return [
    { action: 'add', url, tags, time: added, ...(title !== null && { title }) },
    ...(item.isArchived ? [{ action: 'archive', url, time: read }] : []),
    ...(item.isFavorite ? [{ action: 'favorite', url, time: favorited }] : []),
    ...item.quotes.map((quote, n) => ({
      ...{ action: 'add_annotation', url, time: added },
      annotation: { annotation_id: `a${at}-${n}`, quote, patch: '@@', version: '2' },
    })),
  ];
}

async function aLibrary(items: readonly Saved[]): Promise<ReadingListApi> {
  const api = await ReadingListApi.of(app, { key });
  const actions = items.flatMap(actionsFor);
  const results = actions.length === 0 ? [] : await api.results(...actions);
  expect(results.every((result) => result === true)).toBe(true);
  return api;
}

describe('a library that is exported and imported again', () => {
  it('is identical in JSON lines', async () => {
    await fc.assert(
      fc.asyncProperty(library, async (items) => {
        const before = await exported(await aLibrary(items), 'jsonl');

        const after = await exported(await moved(before), 'jsonl');

        expect(String(after)).toBe(String(before));
      }),
      { numRuns: RUNS },
    );
  }, 300_000);

  it("has identical rows in Pocket's CSV", async () => {
    await fc.assert(
      fc.asyncProperty(library, async (items) => {
        const before = await exported(await aLibrary(items), 'pocket-csv');

        const after = await exported(await moved(before), 'pocket-csv');

        const rows = await unzipped(before);
        expect((await unzipped(after))['part_000000.csv']).toBe(rows['part_000000.csv']);
      }),
      { numRuns: RUNS },
    );
  }, 300_000);
});
