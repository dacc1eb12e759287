import pg from 'pg';

import type { ReplicaReads } from '../../src/platform/database/replica.js';
import { Replicas } from '../../src/platform/database/replicas.js';
import { aPooler } from '../support/pooler.js';
import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import {
  type PrimaryServer,
  readsOfReplica,
  type ReplicaServer,
  ReplicatedServers,
} from '../support/replicated-server.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagCalls } from '../support/wallabag-calls.js';

let servers: ReplicatedServers;
let primary: PrimaryServer;
let replica: ReplicaServer;
let app: TestApp;
let ada: ReadingListApi;

beforeAll(async () => {
  servers = await ReplicatedServers.start();
  ({ primary, replica } = servers);
});
afterAll(async () => {
  await servers.close();
});
beforeEach(async () => {
  app = await servers.app({ answerCacheMegabytes: 0 });
  ada = await ReadingListApi.of(app);
  await ada.saved('https://example.com/a');
  await primary.awaitReplayBy(replica);
});
afterEach(async () => {
  await replica.resume();
  await app.close();
});

const reads = () => readsOfReplica(app);
const people = (): Promise<ReadingListApi[]> =>
  Promise.all([1, 2, 3].map(() => ReadingListApi.of(app)));

async function servedByReplica(): Promise<void> {
  const { served } = reads();
  await until(async () => {
    expect(await ada.names()).toEqual(['a']);
    return reads().served > served;
  }, 'a read that is served');
}

/** What becomes of the reads; where one fails, since a busy machine is late, all are made again. */
async function withoutFailures(ask: () => Promise<unknown>): Promise<ReplicaReads> {
  for (;;) {
    await servedByReplica();
    const before = reads();
    await ask();
    const { served, behind, failed } = reads();
    if (failed === before.failed) {
      return { served: served - before.served, behind: behind - before.behind, failed: 0 };
    }
  }
}

describe('a replica that is behind', () => {
  it('serves the lists of others while it lacks one that changes all the time', async () => {
    const [busy] = await people();
    await primary.awaitReplayBy(replica);
    await servedByReplica();
    await replica.pause();
    await busy!.saved('https://example.com/b');

    const asked = async (): Promise<void> => {
      for (let read = 0; read < 5; read += 1) {
        expect(await busy!.names()).toEqual(['b']);
      }
      expect(await ada.names()).toEqual(['a']);
    };
    expect(await withoutFailures(asked)).toEqual({ served: 1, behind: 5, failed: 0 });
  });

  it('serves lists whose words the primary server has not either', async () => {
    const holder = new pg.Client(primary.url);
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE item_texts IN SHARE MODE');
    const all = await people();
    for (const one of all) {
      await one.saved('https://example.com/periwinkle');
    }
    await primary.awaitReplayBy(replica);

    const asked = async (): Promise<void> => {
      for (const one of all) {
        await one.found({ q: 'periwinkle' });
      }
      expect(await all[0]!.names()).toEqual(['periwinkle']);
    };
    expect(await withoutFailures(asked)).toEqual({ served: 1, behind: 3, failed: 0 });
    await holder.end();
  });

  it('is left alone for a while when it lacks three lists', async () => {
    const all = await people();
    await primary.awaitReplayBy(replica);
    await servedByReplica();
    await replica.pause();
    for (const one of all) {
      await one.saved('https://example.com/a');
    }

    await until(async () => {
      for (const one of all) {
        expect(await one.names()).toEqual(['a']);
      }
      return !app.app.get(Replicas).areUsable();
    }, 'a replica that is left alone');
  });
});

it('serves nothing behind a pooler that leads to it in the place of the primary server', async () => {
  const calls = await WallabagCalls.of(app);
  await primary.awaitReplayBy(replica);
  const pooler = await aPooler(replica.url, 'transaction');
  const other = await aTestApp({
    through: () => ({ ...pooler.connection, pooler: 'transaction' }),
    config: { ...app.config, databaseReplicaUrls: [], databasePooler: 'transaction' },
  });
  try {
    const unavailable = { status: 503, headers: { 'retry-after': '1' } };
    expect(await ada.at(other).get()).toMatchObject(unavailable);
    expect(await calls.at(other).call('get', 'entries', {}, 'query')).toMatchObject(unavailable);
  } finally {
    await other.close();
    await pooler.close();
  }
});
