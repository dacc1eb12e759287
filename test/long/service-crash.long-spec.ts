import request from 'supertest';

import { until } from '../support/processes.js';
import { Installation, type ServiceProcess } from '../support/service-process.js';
import { aDatabase } from '../support/test-database.js';

const ADA = { name: 'Ada', email: 'ada@example.com', password: 'a long pass phrase' };
const KEY = /\d+-[0-9a-f]{24}/;

let original: Installation;
/** Everything that must not occur in a log. */
const secrets: string[] = [ADA.password];
const installations: Installation[] = [];

const post = async (service: ServiceProcess, path: string, body: object): Promise<number> =>
  (await request(service.url).post(path).send(body)).status;
const statusOfReady = async (service: ServiceProcess): Promise<number> =>
  (await request(service.url).get('/ready')).status;

function aCopy(): Installation {
  const copy = original.copy();
  installations.push(copy);
  return copy;
}

beforeAll(async () => {
  original = new Installation();
  installations.push(original);
  const first = await original.started();
  secrets.push(KEY.exec(first.stdout)?.[0] ?? '');
  first.kill('SIGTERM');
  await first.ended;
});
afterAll(() => Promise.all(installations.map((installation) => installation.close())));

describe('the next start', () => {
  it('loses no data after the service was killed, and takes over its database server', async () => {
    const installation = aCopy();
    const killed = await installation.started();
    await post(killed, '/register', ADA);
    const server = installation.serverId;
    killed.kill('SIGKILL');
    await killed.ended;

    const next = await installation.started();

    expect(await post(next, '/login', ADA)).toBe(200);
    expect(installation.serverId).toBe(server);
    next.kill('SIGTERM');
    await next.ended;
    expect(installation.serverId).toBeUndefined();
  });

  it('loses no data after the service and its database server were killed', async () => {
    const installation = aCopy();
    const killed = await installation.started();
    const registered = await post(killed, '/register', ADA);
    killed.kill('SIGKILL');
    await installation.killServer();
    await killed.ended;

    const next = await installation.started();

    expect(registered).toBe(201);
    expect(await post(next, '/login', ADA)).toBe(200);
  });
});

describe('a first start', () => {
  it('stops at SIGTERM and leaves no database server running', async () => {
    const fresh = new Installation();
    installations.push(fresh);
    const service = fresh.start();
    await until(() => fresh.hasServerFiles, 'the first files of the server');

    service.kill('SIGTERM');

    const { code, signal } = await service.ended;
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(fresh.serverId).toBeUndefined();
  });
});

describe('a service whose database server is killed', () => {
  it('exits with code 1 and an error message', async () => {
    const installation = aCopy();
    const service = await installation.started();

    await installation.killServer();

    const { code, stderr } = await service.ended;
    expect(code).toBe(1);
    expect(stderr).toContain('satchel: the embedded database has gone away');
  });
});

describe('two services that start on one empty database of DATABASE_URL', () => {
  it('both become ready and print no key', async () => {
    const database = await aDatabase({ isEmpty: true });
    const installation = new Installation({ DATABASE_URL: database.url });
    installations.push(installation);

    const both = await Promise.all([installation.started(), installation.started()]);

    expect(await Promise.all(both.map(statusOfReady))).toEqual([200, 200]);
    expect(both.map(({ stdout }) => stdout).join('')).not.toMatch(KEY);
    await installation.close();
    await database.drop();
  });
});

describe('standard error', () => {
  it('contains only JSON lines and messages, and no secrets', () => {
    const log = installations.map((installation) => installation.log).join('\n');

    const lines = log.split('\n').filter((line) => !/^(\{.*\}|satchel: .+|  \w+: .+|)$/.test(line));
    expect(lines).toEqual([]);
    expect(log).toContain('satchel: the embedded database has gone away');
    expect(secrets.filter((secret) => secret === '' || log.includes(secret))).toEqual([]);
  });
});
