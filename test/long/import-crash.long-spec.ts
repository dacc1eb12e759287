import { setTimeout as pause } from 'node:timers/promises';

import { normalAddress } from '../../src/reading-list/list/address.js';
import type { ImportResponse } from '../../src/transfer/import/import.presenter.js';
import type { Variables } from '../support/processes.js';
import { Installation, type ServiceProcess } from '../support/service-process.js';
import { type Delta, SyncingReader } from '../support/syncing-reader.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

const ADA = { email: 'ada@example.com', password: 'a long pass phrase' };
const ROWS = 6000;
const KILLS = 3;
const urlOf = (row: number): string => `https://example.com/${row}`;
const FILE = [
  'title,url,time_added,tags,status',
  ...Array.from({ length: ROWS }, (_, row) =>
    [
      `Title ${row}`,
      urlOf(row),
      1_600_000_000 + row,
      `t${row % 7}`,
      row % 2 ? 'archive' : 'unread',
    ].join(),
  ),
].join('\n');

/** Slows each batch down, so that the service is always killed in the middle of the file. */
const SLOWLY = `
  CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.05); RETURN NEW; END $$;
  CREATE TRIGGER slow BEFORE UPDATE OF rows_done ON imports FOR EACH ROW EXECUTE FUNCTION slow()`;

let database: TestDatabase;
let installation: Installation;
let service: ServiceProcess;
let credentials: { consumer_key: string; access_token: string };

const variables = (): Variables => ({ DATABASE_URL: database.url });
const started = (): Promise<ServiceProcess> => installation.started(variables());

const post = (path: string, members: object): Promise<Response> =>
  fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(members),
  });

async function ask(since?: number): Promise<Delta> {
  for (;;) {
    try {
      const members = { ...credentials, since, count: 5000, state: 'all', detailType: 'complete' };
      const response = await post('/v3/get', members);
      const { list, since: next } = (await response.json()) as {
        since: number;
        list: Record<string, object>;
      };
      return { since: next, changes: new Map(Object.entries(list)) };
    } catch {
      await pause(50);
    }
  }
}

async function begin(): Promise<ImportResponse> {
  const form = new FormData();
  form.append('consumer_key', credentials.consumer_key);
  form.append('access_token', credentials.access_token);
  form.append('file', new Blob([FILE]), 'pocket.csv');
  const response = await fetch(`${service.url}/v3/import`, { method: 'POST', body: form });
  return ((await response.json()) as { import: ImportResponse }).import;
}

async function look(id: string): Promise<ImportResponse> {
  const query = new URLSearchParams(credentials).toString();
  const response = await fetch(`${service.url}/v3/import/${id}?${query}`);
  return ((await response.json()) as { import: ImportResponse }).import;
}

beforeAll(async () => {
  database = await aDatabase();
  await database.query(SLOWLY);
  installation = new Installation();
  service = await started();
  await post('/register', { ...ADA, name: 'Ada' });
  const login = (await (await post('/login', ADA)).json()) as { access_token: string };
  const words =
    'consumer-key create --name Move --permissions retrieve,add,modify --dialect classic';
  const { stdout } = await installation.run(words.split(' '), { variables: variables() });
  credentials = { consumer_key: stdout.trim(), access_token: login.access_token };
});
afterAll(async () => {
  await installation.close();
  await database.drop();
});

describe('an import whose service is killed repeatedly', () => {
  it('adds each row once, and a syncing client receives each row once', async () => {
    const { id } = await begin();
    const reader = new SyncingReader(ask);
    let isOver = false;
    const following = reader.follow(
      () => isOver,
      () => pause(100),
    );

    const seen: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = (await look(id)).rows_done;
      for (let job = await look(id); job.rows_done === before; job = await look(id)) {
        await pause(20);
      }
      service.kill('SIGKILL');
      await service.ended;
      service = await started();
      seen.push((await look(id)).rows_done);
    }
    let job = await look(id);
    for (; job.finished_at === null; job = await look(id)) {
      await pause(100);
    }
    isOver = true;
    await following;

    expect(seen.every((rows, at) => rows > (seen[at - 1] ?? 0) && rows < ROWS)).toBe(true);
    expect(job).toMatchObject({ state: 'done', rows_done: ROWS, added: ROWS, unchanged: 0 });
    const expected = Array.from({ length: ROWS }, (_, row) => normalAddress(urlOf(row))!.itemId);
    expect([...reader.copy.keys()].sort()).toEqual(expected.sort());
    expect([...reader.deliveries.values()].filter((times) => times > 1)).toEqual([]);
  });
});
