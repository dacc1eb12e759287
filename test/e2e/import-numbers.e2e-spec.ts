import { ImportApi } from '../support/import-api.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

interface Person {
  readonly api: ReadingListApi;
  readonly imports: ImportApi;
}

async function aPerson(): Promise<Person> {
  const api = await ReadingListApi.of(app);
  return { api, imports: new ImportApi(app, api) };
}

/** Returns the item numbers, keyed by the last part of the URL. */
async function numbers({ api }: Person): Promise<Record<string, number>> {
  const rows = await app.database.query<{ given_url: string; number: number }>(
    `SELECT given_url, number FROM items WHERE user_id = $1`,
    [api.user.id],
  );
  return Object.fromEntries(
    rows.map(({ given_url: url, number }) => [url.split('/').at(-1)!, number]),
  );
}

const address = (name: string): string => `https://example.com/${name}`;
const line = (name: string, number: unknown): string =>
  JSON.stringify({ url: address(name), time_added: 1_600_000_000, tags: [`tag ${name}`], number });
const jsonl = (...lines: readonly string[]): string => ['{"satchel":1}', ...lines].join('\n');
const FULL = 2 ** 30;

describe('the number of an imported item', () => {
  it('is the number from the exported list', async () => {
    const person = await aPerson();

    await person.imports.imported(jsonl(line('a', 900), line('b', 4), line('c', 7)));
    await person.api.saved(address('later'));

    const { later, ...kept } = await numbers(person);
    expect(kept).toEqual({ a: 900, b: 4, c: 7 });
    expect(later).toBeGreaterThan(900);
  });

  it('is the id of the entry in wallabag', async () => {
    const person = await aPerson();

    await person.imports.imported(
      JSON.stringify([
        { id: 31, url: address('a'), is_archived: 0, title: 'A' },
        { id: 12, url: address('b'), is_archived: 1, title: 'B' },
      ]),
    );

    expect(await numbers(person)).toEqual({ a: 31, b: 12 });
  });

  it('is a new number if an item of the list has or had the imported one', async () => {
    const person = await aPerson();
    await person.api.saved(address('there'));
    await person.api.saved(address('gone'));
    await person.api.sent({ action: 'delete', url: address('gone') });

    await person.imports.imported(jsonl(line('a', 1), line('b', 2), line('c', 50), line('d', 50)));

    const { there, a, b, c, d } = await numbers(person);
    expect({ there, c }).toEqual({ there: 1, c: 50 });
    expect(Math.min(a!, b!, d!)).toBeGreaterThan(50);
    expect(new Set([there, a, b, c, d]).size).toBe(5);
  });

  it.each([0, -1, 1.5, 'x', null, FULL + 1, 2 ** 53])(
    'is a new number if the file contains %j',
    async (number) => {
      const person = await aPerson();

      const job = await person.imports.imported(jsonl(line('a', number)));

      expect(job).toMatchObject({ added: 1, incomplete: 0 });
      expect((await numbers(person))['a']).toBeLessThan(10);
    },
  );

  it('does not change when a file with another number is imported', async () => {
    const person = await aPerson();
    await person.imports.imported(jsonl(line('a', 5)));

    await person.imports.imported(jsonl(line('a', 60), line('b', 61)));

    expect(await numbers(person)).toEqual({ a: 5, b: 61 });
  });
});
