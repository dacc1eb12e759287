import { setTimeout as pause } from 'node:timers/promises';

import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import { normalAddress } from '../../src/reading-list/list/address.js';
import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import {
  readsOfReplica,
  type ReplicaServer,
  ReplicatedServers,
} from '../support/replicated-server.js';
import { aSharedAction, type Delta, dice, SyncingReader } from '../support/syncing-reader.js';
import type { TestApp } from '../support/test-app.js';

const WRITERS = 3;
const BATCHES = 60;
const ALL = { count: 5000, detailType: 'complete' };

let servers: ReplicatedServers;
let replica: ReplicaServer;
let app: TestApp;
let ada: ReadingListApi;

beforeAll(async () => {
  servers = await ReplicatedServers.start();
  ({ replica } = servers);
  app = await servers.app();
  // Its pages hold whole lists.
  ada = await ReadingListApi.of(app, { dialect: Dialect.Classic });
});
afterAll(async () => {
  await app.close();
  await servers.close();
});

interface WireList {
  readonly since: number;
  readonly list: Readonly<Record<string, { readonly status: string }>>;
}

async function ask(since?: number): Promise<Delta> {
  const { list, since: next } = (await ada.found({ ...ALL, since })) as unknown as WireList;
  const changes = Object.entries(list).map(([id, item]) => {
    return [id, item.status === '2' ? null : { ...item, sort_id: 0 }] as const;
  });
  return { since: next, changes: new Map(changes) };
}

/** Each writes and reads; gives the ids of what a read lacked though it was acknowledged before. */
async function write(writer: number): Promise<string[]> {
  const roll = dice(writer + 1);
  const missed: string[] = [];
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const url = `https://own.example/${writer}/${batch}`;
    const shared = Array.from({ length: roll(3) }, () => aSharedAction(roll));
    await ada.sent(...shared, { action: 'add', url });
    const { itemId } = normalAddress(url)!;
    const { list } = await ada.found(roll(2) === 0 ? ALL : { ...ALL, item: itemId });
    if (list[itemId] === undefined) {
      missed.push(itemId);
    }
    await pause(roll(40));
  }
  return missed;
}

/** Changes and reads the list until the replica has done so; an answer to the same question is remembered. */
async function readsBecome(outcome: 'served' | 'behind'): Promise<void> {
  let changes = 0;
  await until(async () => {
    await ada.sent({ action: 'add', url: `https://${outcome}.example/${(changes += 1)}` });
    await pause(100);
    await ask();
    return readsOfReplica(app)[outcome] > 0;
  }, `a read that is ${outcome}`);
}

describe('clients that write and read while a replica stops and goes on', () => {
  it('see all that was acknowledged to them, and miss and repeat nothing', async () => {
    await readsBecome('served');
    await replica.pause();
    await readsBecome('behind');
    await replica.resume();
    const progress = { isOver: false };
    const over = (): boolean => progress.isOver;
    const readers = Array.from({ length: 3 }, () => new SyncingReader(ask));
    const following = readers.map((reader, n) => reader.follow(over, () => pause(10 + 15 * n)));
    const stopping = (async () => {
      while (!over()) {
        await replica.pause();
        await pause(60);
        await replica.resume();
        await pause(400);
      }
    })();

    const missed = await Promise.all(Array.from({ length: WRITERS }, (_, n) => write(n)));
    progress.isOver = true;
    await Promise.all([...following, stopping]);

    const { changes: list } = await ask();
    const own = [...list.keys()].filter((id) => readers[0]!.deliveries.has(id));
    expect(missed.flat()).toEqual([]);
    expect(own.length).toBeGreaterThanOrEqual(WRITERS * BATCHES);
    for (const { copy } of readers) {
      expect(Object.fromEntries(copy)).toEqual(Object.fromEntries(list));
    }
  });
});
