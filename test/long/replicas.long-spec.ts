import { setTimeout as pause } from 'node:timers/promises';

import pg from 'pg';

import { Replicas } from '../../src/platform/database/replicas.js';
import { normalAddress } from '../../src/reading-list/list/address.js';
import { aDatabaseProxy } from '../support/database-proxy.js';
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
import { strictList } from '../support/wallabag-entry.js';

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
});
afterEach(async () => {
  await replica.resume();
  await app.close();
});

const reads = () => readsOfReplica(app);

/** Asks until a read has come out so: a busy machine has reads that are late as well. */
async function readsUntil(
  outcome: 'served' | 'behind',
  ask: () => Promise<unknown>,
): Promise<void> {
  const { [outcome]: before } = reads();
  await until(async () => {
    await ask();
    return reads()[outcome] > before;
  }, `a read that is ${outcome}`);
}

const servedByReplica = (ask: () => Promise<unknown>): Promise<void> => readsUntil('served', ask);
const replicaIsBehind = (ask: () => Promise<unknown>): Promise<void> => readsUntil('behind', ask);

async function idOf(url: string): Promise<string> {
  await ada.saved(url);
  return normalAddress(url)!.itemId;
}

describe('a list on a replica', () => {
  it('is read there when it has been replayed', async () => {
    const id = await idOf('https://example.com/a');
    await primary.awaitReplayBy(replica);

    await servedByReplica(async () => {
      const { list, total } = await ada.found({ sort: 'title', total: 1 });
      expect([Object.keys(list), total]).toEqual([[id], '1']);
    });
  });

  it('is read from the primary server while the replica lacks what the client has written', async () => {
    const early = await idOf('https://example.com/early');
    await primary.awaitReplayBy(replica);
    await servedByReplica(() => ada.found());
    await replica.pause();

    const late = await idOf('https://example.com/late');
    const seesBoth = async (): Promise<void> => {
      const { list } = await ada.found();
      expect(Object.keys(list).toSorted()).toEqual([early, late].toSorted());
    };
    await replicaIsBehind(seesBoth);

    await replica.resume();
    await primary.awaitReplayBy(replica);
    await servedByReplica(seesBoth);
  });

  it('is read there while the replica lacks changes of other lists alone', async () => {
    const id = await idOf('https://example.com/a');
    await primary.awaitReplayBy(replica);
    await servedByReplica(() => ada.found());
    await replica.pause();
    const bob = await ReadingListApi.of(app);
    await bob.saved('https://example.com/b');

    await servedByReplica(async () => {
      expect(Object.keys((await ada.found()).list)).toEqual([id]);
    });
    await replicaIsBehind(async () => {
      expect(await bob.names()).toEqual(['b']);
    });
  });

  it('gives a since before every change that is under way', async () => {
    await idOf('https://example.com/a');
    await primary.query('UPDATE lists SET stamp = stamp - 7200');
    await primary.awaitReplayBy(replica);
    await servedByReplica(() => ada.found());
    const [list] = await primary.query<{ version: number }>(
      'SELECT stamp::float8 AS version FROM lists ORDER BY user_id DESC LIMIT 1',
    );
    await replica.pause();
    const writer = new pg.Client(primary.url);
    await writer.connect();
    await writer.query('BEGIN');
    await writer.query('SELECT FROM lists FOR UPDATE');

    await servedByReplica(async () => {
      expect((await ada.found()).since).toBe(list?.version);
    });

    await writer.end();
  });

  it('is searched there for words as soon as the replica has all of them', async () => {
    const holder = new pg.Client(primary.url);
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE item_texts IN SHARE MODE');
    const id = await idOf('https://example.com/periwinkle');
    await primary.awaitReplayBy(replica);
    await servedByReplica(() => ada.found());
    await replica.pause();
    await holder.end();
    await until(async () => {
      return (await primary.query('SELECT FROM due_texts')).length === 0;
    }, 'the words');
    const finds = async (): Promise<void> => {
      expect(Object.keys((await ada.found({ q: 'periwinkle' })).list)).toEqual([id]);
    };
    await replicaIsBehind(finds);

    await replica.resume();
    await primary.awaitReplayBy(replica);
    await servedByReplica(finds);
  });
});

it('serves the lists of clients of wallabag as it serves get', async () => {
  const calls = await WallabagCalls.of(app);
  const entries = async (): Promise<string[]> => {
    const { body } = await calls.call('get', 'entries', {}, 'query').expect(200);
    return strictList(body).items.map(({ given_url: url }) => url);
  };
  await calls.v3.saved('https://example.com/a');
  await primary.awaitReplayBy(replica);
  await replica.pause();

  await servedByReplica(async () => {
    expect(await entries()).toEqual(['https://example.com/a']);
  });
  await calls.v3.saved('https://example.com/b');
  await replicaIsBehind(async () => {
    expect(await entries()).toEqual(['https://example.com/b', 'https://example.com/a']);
  });
});

it('serves through poolers that give each transaction another session', async () => {
  const poolers = [
    await aPooler(primary.url, 'transaction'),
    await aPooler(replica.url, 'transaction'),
  ] as const;
  const [own, copy] = poolers.map(({ connection }) => connection);
  const other = await aTestApp({
    through: () => ({ ...own, pooler: 'transaction' }),
    config: {
      ...app.config,
      ...{ databaseReplicaUrls: [copy!.url], databasePooler: 'transaction' },
    },
  });
  try {
    await idOf('https://example.com/a');
    const there = ada.at(other);
    await until(async () => {
      expect(await there.names()).toEqual(['a']);
      return readsOfReplica(other).served > 10;
    }, 'answers of the replica');
    expect(readsOfReplica(other).failed).toBe(0);
  } finally {
    await other.close();
    await Promise.all(poolers.map((pooler) => pooler.close()));
  }
});

describe('a replica that is of no use', () => {
  it('costs no client an error when its network goes silent, and little time', async () => {
    const proxy = await aDatabaseProxy(replica.url);
    const other = await aTestApp({
      through: () => ({ url: primary.url }),
      config: { ...app.config, databaseReplicaUrls: [proxy.url] },
    });
    try {
      const id = await idOf('https://example.com/a');
      const there = ada.at(other);
      const replicas = other.app.get(Replicas);
      await until(async () => {
        await there.found();
        return replicas.areUsable();
      }, 'the replica');

      proxy.become('silent');
      const answers = await Promise.all(Array.from({ length: 5 }, () => there.found()));
      expect(answers.map(({ list }) => Object.keys(list))).toEqual(answers.map(() => [id]));
      expect(replicas.areUsable()).toBe(false);
      expect(other.log()).toMatch(/is not used: the replica did not answer in time/);
    } finally {
      await proxy.close();
      await other.close();
    }
  });

  it('costs no client an error when its replay cancels a read', async () => {
    await servedByReplica(() => ada.found());
    await replica.query(`ALTER SYSTEM SET max_standby_streaming_delay = 0`);
    await replica.query('SELECT pg_reload_conf()');
    const lockedOut = async (): Promise<boolean> => {
      const reading = app.app.get(Replicas).read({
        key: ada.user.id,
        test: async (manager) => {
          await manager.query('SELECT FROM lists LIMIT 1');
          return 'fit';
        },
        read: (manager) => manager.query('SELECT pg_sleep(4)'),
      });
      await pause(300);
      await primary.query('BEGIN; LOCK TABLE lists IN ACCESS EXCLUSIVE MODE; COMMIT');
      await reading;
      return /is not used: .*conflict with recovery/.test(app.log());
    };
    await until(lockedOut, 'a read that the replay cancels');

    expect(await ada.names()).toEqual([]);
    await replica.query('ALTER SYSTEM RESET max_standby_streaming_delay');
    await replica.query('SELECT pg_reload_conf()');
  });

  it('costs no client an error when it is killed, and serves again when it is back', async () => {
    const id = await idOf('https://example.com/a');
    await primary.awaitReplayBy(replica);
    await servedByReplica(() => ada.found());

    await replica.kill();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ada.found()));
    expect(answers.map(({ list }) => Object.keys(list))).toEqual(answers.map(() => [id]));
    expect(app.log()).toMatch(/replica [^ ]+ is not used: /);

    await replica.start();
    await servedByReplica(() => ada.found());
    expect(app.log()).toMatch(/replica in use again/);
  });

  it('is left alone for good when it is promoted', async () => {
    const promoted = await primary.replica();
    const other = await aTestApp({
      through: () => ({ url: primary.url }),
      config: { ...app.config, databaseReplicaUrls: [promoted.url] },
    });
    try {
      const there = ada.at(other);
      const id = await idOf('https://example.com/a');
      await primary.awaitReplayBy(promoted);
      const served = () => readsOfReplica(other).served;
      await until(async () => {
        await there.found();
        return served() > 0;
      }, 'an answer of the replica');

      await promoted.promote();
      const before = served();
      expect(Object.keys((await there.found()).list)).toEqual([id]);
      await until(async () => {
        await there.found();
        return other.log().includes('it is not a replica');
      }, 'the line of the log');
      expect(served()).toBe(before);
    } finally {
      await other.close();
      await promoted.close();
    }
  });
});
