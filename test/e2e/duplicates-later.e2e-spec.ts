import { DeletionsService } from '../../src/reading-list/deletions/deletions.service.js';
import { Trash } from '../../src/reading-list/deletions/trash.service.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { DuplicateReader } from '../support/duplicate-reader.js';
import { ImportApi } from '../support/import-api.js';
import { locationOf } from '../support/page-visitor.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let lists: ListsOnPostgres;
let reader: DuplicateReader;

beforeAll(async () => {
  app = await aTestApp({ config: { resolveWaitMs: 60_000 } });
  lists = await ListsOnPostgres.start(app.database);
});
afterAll(async () => {
  await lists.dataSource.destroy();
  await app.close();
});
beforeEach(async () => {
  reader = await DuplicateReader.of(app, lists);
});
afterEach(async () => {
  expect(await reader.faults()).toEqual([]);
});

const MERGED = 'Merged. The other items are in the trash.';
const TARGET = 'https://site.example/ferns';
const SHORT = 'https://short.example/ferns';

/** Runs an action of the list, as a form that was opened before the merge. */
const act = async (action: string, ...itemIds: readonly string[]): Promise<void> => {
  const _csrf = await reader.visitor.csrfToken();
  const form = { _csrf, action, back: '/list', 'item[]': [...itemIds] };
  await reader.visitor.post('/list/actions', form).expect(303);
};

describe('an import with the kept item', () => {
  it('is undone without the item, because the user has merged it', async () => {
    const imports = new ImportApi(app, reader.api);
    const job = await imports.imported(`title,url,time_added\n,${TARGET},1600000000`);
    const [target = ''] = await reader.ids();
    await reader.fetched(target, TARGET);
    const short = await reader.saved(SHORT, TARGET);
    expect(await reader.merge(target, short)).toBe(MERGED);

    expect(await imports.undone(job.id)).toMatchObject({ undo_removed: 0, undo_kept: 1 });

    expect(await reader.ids()).toEqual([target]);
  });
});

describe('a form from before the merge', () => {
  it('that deletes the other item leaves the kept item in the list', async () => {
    const [short, target] = await reader.pair();
    await reader.merge(target, short);

    await act('delete', short);

    expect(await reader.ids()).toEqual([target]);
  });

  it('that archives the other item archives the kept item', async () => {
    const [short, target] = await reader.pair();
    await reader.merge(target, short);

    await act('archive', short);

    expect(await reader.api.item(target)).toMatchObject({ status: '1' });
  });
});

describe('the favorite mark of the kept item', () => {
  it.each([
    [100, 200],
    [200, 100],
  ])('has the earliest time of %i and %i', async (kept, other) => {
    const [short, target] = await reader.pair();
    await reader.api.sent(
      { action: 'favorite', item_id: target, time: 1_700_000_000 + kept },
      { action: 'favorite', item_id: short, time: 1_700_000_000 + other },
    );

    await reader.merge(target, short);

    expect(await reader.api.item(target)).toMatchObject({ time_favorited: '1700000100' });
  });
});

describe('merges one after another', () => {
  it('in both directions open the item that is in the list', async () => {
    const [short, target] = await reader.pair();

    for (const [kept, other] of [
      [target, short],
      [short, target],
      [target, short],
    ] as const) {
      expect(await reader.merge(kept, other)).toBe(MERGED);
      const answer = await reader.visitor.open(`/read/${other}`).expect(307);
      expect(locationOf(answer)).toBe(`/read/${kept}`);
      await reader.visitor.open(`/read/${kept}`).expect(200);
      await act('undo_delete', other);
    }

    expect(await reader.ids()).toEqual([short, target].sort());
  });

  it('restore the other item after the kept item was deleted for good', async () => {
    const [short, target] = await reader.pair();
    await reader.merge(target, short);
    await app.app.get(DeletionsService).delete(reader.api.user.id, [target]);
    await app.app.get(Trash).remove(reader.api.user.id, [target]);

    await act('undo_delete', short);

    expect(await reader.ids()).toEqual([short]);
    await reader.visitor.open(`/read/${target}`).expect(404);
  });
});
