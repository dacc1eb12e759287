import { setTimeout as pause } from 'node:timers/promises';

import { Installation, type ServiceProcess } from '../support/service-process.js';

const ADA = { email: 'ada@example.com', password: 'a long pass phrase' };
const MANY = 5000;

let installation: Installation;
let service: ServiceProcess;
let credentials: { consumer_key: string; access_token: string };

beforeAll(async () => {
  installation = new Installation();
  service = await installation.started();
  await post('/register', { ...ADA, name: 'Ada' });
  const { access_token } = await post<{ access_token: string }>('/login', ADA);
  const words = 'consumer-key create --name Tags --permissions retrieve,modify --dialect classic';
  const { stdout } = await installation.run(words.split(' '));
  credentials = { consumer_key: stdout.trim(), access_token };
  const urls = Array.from({ length: MANY }, (_, at) => `https://example.com/${at}`);
  await send(urls.map((url) => ({ action: 'add', url, tags: 'old' })));
});
afterAll(() => installation.close());

async function post<T>(path: string, members: object): Promise<T> {
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(members),
  });
  return (await response.json()) as T;
}

const send = (actions: readonly object[]): Promise<{ action_results: boolean[] }> =>
  post('/v3/send', { ...credentials, actions });

interface WirePage {
  readonly since: number;
  readonly total: string;
  readonly list: Readonly<Record<string, { readonly tags?: Readonly<Record<string, object>> }>>;
}

const get = (members: object): Promise<WirePage> =>
  post('/v3/get', { ...credentials, state: 'all', ...members });

const numberWith = async (tag: string): Promise<number> =>
  Number((await get({ tag, total: 1, count: 1 })).total);

/** Syncs a list by `since`: the tags of each item, as this client knows them. */
class Copy {
  readonly tags = new Map<string, string>();
  private since = 0;

  async poll(): Promise<void> {
    const page = await get({ since: this.since || undefined, count: 5000, detailType: 'complete' });
    for (const [id, item] of Object.entries(page.list)) {
      this.tags.set(id, Object.keys(item.tags ?? {}).join());
    }
    this.since = page.since;
  }
}

describe('a service that is killed during a tag move', () => {
  it.each([
    ['rename', { action: 'tag_rename', old_tag: 'old', new_tag: 'new' }, 'new'],
    ['deletion', { action: 'tag_delete', tag: 'new' }, ''],
  ])('completes the tag move after a restart: %s', async (_, action, tag) => {
    const from = tag === '' ? 'new' : 'old';
    const copy = new Copy();
    await copy.poll();
    const cutOff = send([action]).catch(() => 'cut off');
    while ((await numberWith(from)) === MANY) {
      await pause(1);
    }
    service.kill('SIGKILL');
    await service.ended;
    await cutOff;
    service = await installation.started();

    const left = await numberWith(from);
    await copy.poll();
    while ((await numberWith(from)) > 0) {
      await pause(50);
      await copy.poll();
    }
    await copy.poll();

    expect(left).toBeGreaterThan(0);
    expect(new Set(copy.tags.values())).toEqual(new Set([tag]));
    expect(copy.tags.size).toBe(MANY);
  });
});
