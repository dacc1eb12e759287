import { setTimeout as pause } from 'node:timers/promises';

import { normalAddress } from '../../src/reading-list/list/address.js';
import { Installation, type ServiceProcess } from '../support/service-process.js';
import { aSharedAction, type Delta, dice, SyncingReader } from '../support/syncing-reader.js';

const ADA = { email: 'ada@example.com', password: 'a long pass phrase' };
const WRITERS = 4;
const BATCHES = 40;

let installation: Installation;
let service: ServiceProcess;
let credentials: { consumer_key: string; access_token: string };

const post = async (path: string, members: object): Promise<Response> =>
  fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(members),
  });

/** Retries until there is an answer. Reports whether the first answer was lost. */
async function answered(
  path: string,
  members: object,
): Promise<{ body: unknown; wasLost: boolean }> {
  for (let wasLost = false; ; wasLost = true) {
    try {
      const response = await post(path, { ...credentials, ...members });
      if (response.ok) {
        return { body: await response.json(), wasLost };
      }
    } catch {
      // The service is down. Retry, as clients do.
    }
    await pause(30);
  }
}

interface WireList {
  readonly since: number;
  readonly list: Readonly<Record<string, { readonly status: string }>>;
}

async function ask(since?: number): Promise<Delta> {
  const members = { since, count: 5000, detailType: 'complete' };
  const { body } = await answered('/v3/get', members);
  const { list, since: next } = body as WireList;
  const changes = Object.entries(list).map(([id, item]) => {
    return [id, item.status === '2' ? null : { ...item, sort_id: 0 }] as const;
  });
  return { since: next, changes: new Map(changes) };
}

/** Returns the ids of the items that only this writer has added: in acknowledged batches, and in repeated batches. */
async function write(writer: number): Promise<{ once: string[]; again: string[] }> {
  const roll = dice(writer + 1);
  const ids = { once: [] as string[], again: [] as string[] };
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const url = `https://own.example/${writer}/${batch}`;
    const shared = Array.from({ length: roll(4) }, () => aSharedAction(roll));
    const actions = [...shared, { action: 'add', url }];
    const { wasLost } = await answered('/v3/send', { actions });
    ids[wasLost ? 'again' : 'once'].push(normalAddress(url)!.itemId);
    await pause(roll(60));
  }
  return ids;
}

beforeAll(async () => {
  installation = new Installation();
  service = await installation.started();
  await post('/register', { ...ADA, name: 'Ada' });
  const login = (await (await post('/login', ADA)).json()) as { access_token: string };
  const words = 'consumer-key create --name Sync --permissions retrieve,modify --dialect classic';
  const { stdout } = await installation.run(words.split(' '));
  credentials = { consumer_key: stdout.trim(), access_token: login.access_token };
});
afterAll(() => installation.close());

describe('a client that syncs while the service and its database crash', () => {
  it('ends with the list of the server, and receives each acknowledged change once', async () => {
    const reader = new SyncingReader(ask);
    let isOver = false;
    const following = reader.follow(
      () => isOver,
      () => pause(25),
    );
    const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));

    for (const killsServer of [false, true]) {
      await pause(700);
      service.kill('SIGKILL');
      await service.ended;
      await (killsServer && installation.killServer());
      service = await installation.started();
    }
    const written = await writing;
    isOver = true;
    await following;

    const { changes: list } = await ask();
    const once = written.flatMap((writer) => writer.once);
    const all = [...once, ...written.flatMap((writer) => writer.again)];
    expect(all.length).toBeGreaterThan(once.length);
    expect(Object.fromEntries(reader.copy)).toEqual(Object.fromEntries(list));
    expect(all.filter((id) => !list.has(id))).toEqual([]);
    expect(once.filter((id) => reader.deliveries.get(id) !== 1)).toEqual([]);
  });
});
