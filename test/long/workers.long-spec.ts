import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

import type { Response } from 'supertest';

import { PageServer } from '../support/page-server.js';
import { isAlive, until } from '../support/processes.js';
import { aTakenPort, Installation, type ServiceProcess } from '../support/service-process.js';
import { WorkerService } from '../support/worker-service.js';

type Members = Readonly<Record<string, unknown>>;

/** Below 200, calls are counted one by one, without leases. */
const CALLS = 150;
const PASSWORD = 'a long pass phrase';

let installation: Installation;
let pages: PageServer;
let service: WorkerService;
let consumerKey: string;
let people = 0;

const start = async (variables: Record<string, string> = {}): Promise<WorkerService> =>
  new WorkerService(
    await installation.started({
      SATCHEL_WORKERS: '2',
      RESOLVER_CONCURRENCY: '4',
      RESOLVE_WAIT_MS: '15000',
      CALL_LIMIT_PER_USER: String(CALLS),
      RESOLVER_ALLOW_ADDRESSES: PageServer.addresses,
      RESOLVER_ALLOW_PORTS: String(pages.port),
      ...variables,
    }),
  );

async function credentials(): Promise<Members> {
  people += 1;
  const person = { email: `ada${people}@example.com`, password: PASSWORD };
  await service.post('/register', { ...person, name: 'Ada' });
  const { body } = await service.post('/login', person);
  return { consumer_key: consumerKey, access_token: (body as Members).access_token };
}

const urlsOf = ({ body }: Response): string[] =>
  Object.values((body as { list: Record<string, { given_url: string }> }).list)
    .map(({ given_url: url }) => url)
    .toSorted();

beforeAll(async () => {
  installation = new Installation();
  pages = await PageServer.start({ delayMs: 50 });
  service = await start();
  consumerKey = /^ {4}(\d+-[0-9a-f]{24})$/m.exec(service.service.stdout)?.[1] ?? '';
});
afterAll(async () => {
  await installation.close();
  await pages.stop();
});

describe('two web workers', () => {
  it('share one port and the data of users', async () => {
    const user = await credentials();

    const added = await service.postTo('web 1', '/v3/add', { ...user, url: pages.urls(1, 'a')[0] });
    const got = await service.postTo('web 2', '/v3/get', user);

    expect([added.status, got.status]).toEqual([200, 200]);
    expect(urlsOf(got)).toEqual(pages.urls(1, 'a'));
  });

  it('return no cached response after a change by the other worker', async () => {
    const user = await credentials();
    const [first, second] = pages.urls(2, 'b');
    await service.postTo('web 1', '/v3/add', { ...user, url: first });
    await service.postTo('web 1', '/v3/get', user);
    await service.postTo('web 1', '/v3/get', user);

    await service.postTo('web 2', '/v3/add', { ...user, url: second });

    expect(urlsOf(await service.postTo('web 1', '/v3/get', user))).toEqual([first, second]);
  });

  it('count the calls of a user together, exactly up to the limit', async () => {
    const user = await credentials();

    const answers: Response[] = [];
    for (let round = 0; round < (CALLS + 10) / 10; round += 1) {
      const ten = Array.from({ length: 10 }, () => service.post('/v3/get', user));
      answers.push(...(await Promise.all(ten)));
    }

    const names = await Promise.all(answers.map((answer) => service.answererOf(answer)));
    expect(new Set(names)).toEqual(new Set(['web 1', 'web 2']));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(CALLS);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  });
});

describe('the background worker', () => {
  it('fetches or parses each page once, and clients receive its title', async () => {
    const user = await credentials();
    const fetched = pages.urls(6, 'waited');
    const html = '<title>As it was sent</title><p>Words.';

    const answers = await Promise.all([
      ...fetched.map((url) => service.post('/v3/add', { ...user, url })),
      service.post('/v3/add', { ...user, url: 'https://example.com/sent', html }),
    ]);

    const titles = answers.map(({ body }) => (body as { item: { title: string } }).item.title);
    expect(titles).toEqual([...fetched.map((url) => `Page ${url}`), 'As it was sent']);
    const read = pages.answered.filter((url) => url.includes('/waited/'));
    expect(read.toSorted()).toEqual(fetched.toSorted());
    expect(service.pids.length).toBe(3);
  });

  it('may be suspended while lists are still returned and changed', async () => {
    const user = await credentials();
    const [url = ''] = pages.urls(1, 'still');
    process.kill(service.pidOf('background'), 'SIGSTOP');

    const adding = service.post('/v3/add', { ...user, url });
    await until(async () => urlsOf(await service.post('/v3/get', user)).includes(url));
    const isRead = pages.answered.includes(url);
    process.kill(service.pidOf('background'), 'SIGCONT');

    expect(isRead).toBe(false);
    expect((await adding).status).toBe(200);
    await until(() => pages.answered.includes(url), 'the page');
  });

  it('runs an import', async () => {
    const user = await credentials();
    const urls = Array.from({ length: 20 }, (_, n) => `https://example.com/imported/${n}`);

    await service.upload('/v3/import', user, urls.join('\n'));

    await until(async () => {
      // Each poll counts as a call.
      await pause(500);
      return urlsOf(await service.post('/v3/get', user)).length === 20;
    }, 'the import');
  });
});

describe('a worker that is killed', () => {
  it('leaves no requests pending', async () => {
    const [name, user] = ['web 1', await credentials()];
    process.kill(service.pidOf(name), 'SIGSTOP');
    const ends = Array.from({ length: 4 }, () => service.post('/v3/get', user));
    const answered = await Promise.race(ends);

    process.kill(service.pidOf(name), 'SIGKILL');

    const settled = await Promise.allSettled(ends);
    expect(await service.answererOf(answered)).toBe('web 2');
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    await until(() => service.pidsOf(name).length === 2, 'the return of the worker');
  });

  it('is replaced while the other worker responds, and loses no acknowledged changes', async () => {
    const user = await credentials();
    const acknowledged: string[] = [];
    const names = ['web 1', 'web 2', 'web 1'];
    let count = 0;
    const save = async (): Promise<void> => {
      count += 1;
      const url = `https://example.com/${count}`;
      const action = { action: 'add', url };
      const answer = await service
        .post('/v3/send', { ...user, actions: [action] })
        .catch(() => undefined);
      if (answer?.status === 200) {
        acknowledged.push(url);
      }
    };

    for (const name of names) {
      const before = service.pidsOf(name).length;
      process.kill(service.pidOf(name), 'SIGKILL');
      const enough = acknowledged.length + 6;
      await until(async () => {
        await Promise.all([save(), save()]);
        return acknowledged.length >= enough;
      });
      await until(() => service.pidsOf(name).length > before, 'the return of the worker');
      await service.postTo(name, '/v3/get', { ...user, count: 1 });
    }

    const kept = urlsOf(await service.post('/v3/get', user));
    expect(acknowledged.filter((url) => !kept.includes(url))).toEqual([]);
  });

  it('is replaced if it is the background worker', async () => {
    const user = await credentials();
    const [url = ''] = pages.urls(1, 'after');
    process.kill(service.pidOf('background'), 'SIGKILL');
    await until(() => service.pidsOf('background').length === 2, 'the return of the worker');

    const { body } = await service.post('/v3/add', { ...user, url });

    expect(body).toMatchObject({ item: { title: `Page ${url}` } });
  });
});

describe('SIGTERM', () => {
  it('lets running requests finish, then ends all processes', async () => {
    const { url } = service.service;
    const body = JSON.stringify({ name: 'Slow', email: 'slow@example.com', password: PASSWORD });
    const slow = ['web 1', 'web 2'].map(() =>
      httpRequest(`${url}/register`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': body.length,
          Expect: '100-continue',
        },
      }),
    );
    slow.forEach((one) => {
      one.flushHeaders();
    });
    await Promise.all(slow.map((one) => once(one, 'continue')));

    service.service.kill('SIGTERM');
    await until(() => isClosed(service.service), 'the end of the listening');
    const answers = slow.map(async (one) => {
      one.end(body);
      const [{ statusCode }] = (await once(one, 'response')) as [{ statusCode: number }];
      return statusCode;
    });

    expect((await Promise.all(answers)).toSorted()).toEqual([201, 409]);
    expect(await service.service.ended).toMatchObject({ code: 0, signal: null });
    expect(service.pids.filter(isAlive)).toEqual([]);
    expect(installation.serverId).toBeUndefined();
  });
});

describe('a start that fails', () => {
  it('reports each invalid variable once', async () => {
    const faulty = { SATCHEL_WORKERS: 'many', PORT: 'http' };

    const { code, stderr } = await installation.start(faulty).ended;

    expect(code).toBe(1);
    expect(stderr.match(/^ {2}\w+(?=: )/gm)?.toSorted()).toEqual(['  PORT', '  SATCHEL_WORKERS']);
  });

  it('reports once that the port is taken, and leaves no database server running', async () => {
    const { port: PORT, free } = await aTakenPort();

    const { code, stdout, stderr } = await installation.start({ PORT, SATCHEL_WORKERS: '2' }).ended;

    free();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.match(/EADDRINUSE.*/g)).toEqual([expect.stringContaining(`:${PORT}`)]);
    expect(installation.serverId).toBeUndefined();
  });
});

describe('a killed primary', () => {
  it('ends its workers, frees the port and loses no data', async () => {
    service = await start();
    const user = await credentials();
    await service.post('/v3/add', { ...user, url: 'https://example.com/kept' });

    service.service.kill('SIGKILL');
    await service.service.ended;

    await until(() => !service.pids.some(isAlive), 'the end of the workers');
    service = await start({ PORT: new URL(service.service.url).port });
    expect(urlsOf(await service.post('/v3/get', user))).toEqual(['https://example.com/kept']);
  });
});

/** Returns true if a new connection is refused. */
const isClosed = ({ url }: ServiceProcess): Promise<boolean> =>
  fetch(`${url}/health`, { signal: AbortSignal.timeout(1000) }).then(
    () => false,
    // A timeout counts as open: the system may accept a last connection that no worker handles.
    (error: unknown) => !(error instanceof DOMException),
  );
