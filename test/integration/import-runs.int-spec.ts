import { existsSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ListTransactions } from '../../src/reading-list/list-transactions.js';
import { ImportRepository } from '../../src/transfer/import/import.repository.js';
import { type ImportProgress, ImportRunner } from '../../src/transfer/import/import.runner.js';
import { ImportService } from '../../src/transfer/import/import.service.js';
import { ImportWorkers } from '../../src/transfer/import/import.workers.js';
import { importBatch } from '../../src/transfer/import/import-batch.js';
import { ReaderEndedError, ReadingThread } from '../../src/transfer/import/reading-thread.js';
import { sweepUploadedFiles } from '../../src/transfer/import/uploaded-file.js';
import { UploadGoneError } from '../../src/transfer/transfer.errors.js';
import { ImportApi } from '../support/import-api.js';
import { codeOf, ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const NEVER = new AbortController().signal;
const LATER = `UPDATE imports SET leased_until = now() - interval '1 second'`;

let app: TestApp;
let [queue, runner, imports]: [ImportRepository?, ImportRunner?, ImportService?] = [];

beforeAll(async () => {
  app = await aTestApp();
  // Stops the workers, because the tests run imports themselves.
  await app.app.get(ImportWorkers).beforeApplicationShutdown();
  queue = app.app.get(ImportRepository);
  runner = app.app.get(ImportRunner);
  imports = app.app.get(ImportService);
});
afterAll(() => app.close());
afterEach(() => jest.restoreAllMocks());

async function begun(content: string): Promise<{ userId: string; id: string }> {
  const { user } = await ReadingListApi.of(app);
  const file = (async function* () {
    await Promise.resolve();
    yield Buffer.from(content);
  })();
  const wanted = {
    userId: user.id,
    fileName: 'x',
    restoresDeleted: false,
    foldersBecomeLists: false,
  };
  return { userId: user.id, id: await imports!.start(wanted, file) };
}

const urls = (count: number): string =>
  Array.from({ length: count }, (_, at) => `https://example.com/${at}\n`).join('');

const aRow = (line: number) => ({
  place: { path: '', line },
  item: { url: `https://example.com/${line}` },
});

const itemsOf = async (userId: string): Promise<number> =>
  (await app.database.query(`SELECT 1 FROM items WHERE user_id = ${userId}`)).length;

/** Runs work after the first batch was written, before the next batch. */
function afterFirstBatch(work: () => Promise<unknown>): (progress: ImportProgress) => void {
  let done: Promise<unknown> | undefined;
  const lists = app.app.get(ListTransactions);
  const transact = lists.run.bind(lists);
  jest.spyOn(lists, 'run').mockImplementation(async (userId, write) => {
    await done;
    return transact(userId, write);
  });
  return ({ rowsDone }) => {
    done ??= rowsDone === 0 ? undefined : work();
  };
}

describe('an import whose lease ends while a process runs it', () => {
  it('cannot be claimed before that, and is finished by the next process', async () => {
    const { userId, id } = await begun(urls(250));
    const slow = await queue!.claim(id);
    expect(await queue!.claim(id)).toBeUndefined();
    await app.database.query(LATER);
    const next = await queue!.claim(id);

    await runner!.run(slow!, NEVER);
    expect(await itemsOf(userId)).toBe(0);
    expect(await queue!.renew(slow!)).toBe(false);

    await runner!.run(next!, NEVER);
    const job = await imports!.find(userId, id);
    expect(job).toMatchObject({ state: 'done', rowsDone: 250, added: 250 });
  });

  it('stops writing if another process takes it between two batches', async () => {
    const { userId, id } = await begun(urls(450));
    const slow = await queue!.claim(id);
    const taking = afterFirstBatch(() =>
      app.database.query(`UPDATE imports SET lease = gen_random_uuid() WHERE id = ${id}`),
    );
    await runner!.run(slow!, NEVER, taking);
    expect(await imports!.find(userId, id)).toMatchObject({ rowsDone: 100, added: 100 });
    expect(await itemsOf(userId)).toBe(100);

    await app.database.query(LATER);
    await runner!.run((await queue!.claim(id))!, NEVER);
    expect(await imports!.find(userId, id)).toMatchObject({ state: 'done', added: 450 });
  });
});

it('an import reports the fields that are not imported and the merged rows of both processes that have run it', async () => {
  const rows = Array.from({ length: 250 }, (_, at) => `https://example.com/${at},x`);
  const again = ['https://example.com/0,', 'https://www.example.com/249,'];
  const { userId, id } = await begun(['url,mood', ...rows, ...again].join('\n'));
  const taking = afterFirstBatch(() =>
    app.database.query(`UPDATE imports SET lease = gen_random_uuid() WHERE id = ${id}`),
  );
  await runner!.run((await queue!.claim(id))!, NEVER, taking);
  await app.database.query(LATER);

  await runner!.run((await queue!.claim(id))!, NEVER);

  expect(await imports!.find(userId, id)).toMatchObject({
    ...{ state: 'done', added: 250, merged: 2, incomplete: 0 },
    notImported: { fields: [{ kind: 'column', name: 'mood', rows: 250 }], more: 0 },
  });
  const merged = await app.database.query<{ reason: string }>(
    `SELECT reason FROM import_remarks WHERE import_id = ${id} ORDER BY row_number`,
  );
  expect(merged.map(({ reason }) => reason)).toEqual([
    'The same page as line 2, https://example.com/0: both rows are one item.',
    'The same page as line 251, https://example.com/249: both rows are one item.',
  ]);
});

it('a claim returns the row of the statement that takes the lease', async () => {
  const { id } = await begun(urls(1));
  const reading = jest.spyOn(queue!, 'findOneBy').mockRejectedValue(new Error('connection lost'));
  const claimed = await queue!.claim(id);
  reading.mockRestore();

  expect(claimed).toEqual(await queue!.findOneBy({ id }));
});

it('only one of four simultaneous uploads of a user is accepted', async () => {
  const api = await ReadingListApi.of(app);
  const uploads = new ImportApi(app, api);

  const answers = await Promise.all(Array.from({ length: 4 }, () => uploads.upload(urls(2))));

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  expect(answers.map(codeOf)).toContain('409/130');
});

it('an upload fails with UploadGoneError if its import is deleted before the last byte', async () => {
  const { user } = await ReadingListApi.of(app);
  const file = (async function* () {
    // One complete chunk, after which no more data is stored.
    yield Buffer.from(urls(20_000)).subarray(0, 256 * 1024);
    await app.database.query(`DELETE FROM imports WHERE user_id = ${user.id}`);
  })();

  const started = imports!.start(
    { userId: user.id, fileName: 'x', restoresDeleted: false, foldersBecomeLists: false },
    file,
  );

  await expect(started).rejects.toBeInstanceOf(UploadGoneError);
});

it('a file is imported completely even if the disk writes only a part of each chunk', async () => {
  const { userId, id } = await begun(urls(250));
  const file = await open(__filename);
  const handles: { write: (bytes: Buffer) => Promise<unknown> } = Object.getPrototypeOf(file);
  await file.close();
  const { write } = handles;
  jest.spyOn(handles, 'write').mockImplementation(function (this: unknown, bytes) {
    return write.call(this, bytes.subarray(0, 100));
  });

  await runner!.run((await queue!.claim(id))!, NEVER);

  expect(await imports!.find(userId, id)).toMatchObject({ state: 'done', added: 250 });
});

it('an import is left for a later run if the database rejects even its row error', async () => {
  const { userId, id } = await begun(urls(2));
  const fault = Object.assign(new Error('out of range'), { code: '22003' });
  const writing = jest.spyOn(app.app.get(ListTransactions), 'run');
  writing.mockImplementation(() =>
    Promise.reject(writing.mock.calls.length > 100 ? new Error('for ever') : fault),
  );

  await runner!.run((await queue!.claim(id))!, NEVER);

  // The whole batch, its first row, and the row error for that row.
  expect(writing).toHaveBeenCalledTimes(3);
  expect(await imports!.find(userId, id)).toMatchObject({ state: 'running', rowsDone: 0 });
});

it('an import stops and leaves no rows when its account is deleted', async () => {
  const { userId, id } = await begun(urls(450));
  const claimed = await queue!.claim(id);
  const deleting = afterFirstBatch(() =>
    app.database.query(`DELETE FROM users WHERE id = ${userId}`),
  );

  await runner!.run(claimed!, NEVER, deleting);

  expect(await itemsOf(userId)).toBe(0);
  expect(await app.database.query(`SELECT 1 FROM imports WHERE user_id = ${userId}`)).toEqual([]);
});

it('an import stores at most 100,000 row errors and counts the others', async () => {
  const { userId, id } = await begun(`${urls(60)}${'x y\n'.repeat(50)}`);
  const text = `UPDATE imports SET refused = 99970 WHERE id = ${id}`;
  await app.database.query(text);

  await runner!.run((await queue!.claim(id))!, NEVER);

  expect(await imports!.find(userId, id)).toMatchObject({ state: 'done', refused: 100_020 });
  let kept = 0;
  for await (const { isRefused } of app.app.get(ImportRepository).rowErrors(id)) {
    kept += isRefused ? 1 : 0;
  }
  expect(kept).toBe(30);
});

it('old temporary files of imports are deleted, and new ones are kept', async () => {
  const [left, used] = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'satchel-import-')));
  const longAgo = new Date(Date.now() - 2 * 60 * 60_000);
  utimesSync(left!, longAgo, longAgo);

  await sweepUploadedFiles();

  expect([left!, used!].map(existsSync)).toEqual([false, true]);
  rmSync(used!, { recursive: true });
});

it('an import is repeated once after its reader has ended, and fails the second time', async () => {
  const { id } = await begun(urls(3));
  jest
    .spyOn(ReadingThread.prototype, 'count')
    .mockImplementation(() => Promise.reject(new ReaderEndedError()));

  await runner!.run((await queue!.claim(id))!, NEVER);
  await app.database.query(LATER);
  const again = await queue!.claim(id);
  await runner!.run(again!, NEVER);

  expect(again).toMatchObject({ readersEnded: 1 });
  expect(await queue!.claim(id)).toBeUndefined();
  expect(
    await app.database.query(`SELECT state, failure FROM imports WHERE id = ${id}`),
  ).toMatchObject([{ state: 'failed', failure: expect.stringContaining('ends what reads it') }]);
});

it('an import may lose its process before the first rows if its file was read once', async () => {
  const { id } = await begun(urls(3));
  for (let time = 0; time < 4; time += 1) {
    const look = { format: 'urls', formatReason: 'x', rowCount: 3, notImported: null };
    await queue!.lookedAt((await queue!.claim(id))!, look);
    await app.database.query(LATER);
  }
  const job = (await queue!.claim(id))!;

  await runner!.run(job, NEVER);

  expect(job.readersEnded).toBe(0);
  expect(await app.database.query(`SELECT state FROM imports WHERE id = ${id}`)).toEqual([
    { state: 'done' },
  ]);
});

it('an import may lose its process repeatedly as long as it makes progress', async () => {
  const { id } = await begun(urls(250));
  for (let time = 0; time < 3; time += 1) {
    const job = (await queue!.claim(id))!;
    expect(job.readersEnded).toBe(time === 0 ? 0 : 1);
    const rows = [{ rowNumber: time + 1, row: aRow(time) }];
    await app.app
      .get(ListTransactions)
      .run(job.userId, (manager, now) =>
        importBatch(manager, job, { rows, now, pagesPerHour: 0, storageLimit: 0 }),
      );
    await app.database.query(LATER);
  }

  await runner!.run((await queue!.claim(id))!, NEVER);

  expect(await app.database.query(`SELECT state FROM imports WHERE id = ${id}`)).toEqual([
    { state: 'done' },
  ]);
});
