import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { isAlive, until } from '../support/processes.js';
import { Installation } from '../support/service-process.js';

const UNLISTED = { uid: 1026, gid: 100 };
const [onLinux, asRoot] = [
  process.platform === 'linux' ? it : it.skip,
  process.getuid?.() === 0 ? it : it.skip,
];

let installation: Installation;

beforeEach(() => {
  installation = new Installation();
});
afterEach(() => installation.close());

const serverId = (): number => {
  const { serverId: id } = installation;
  if (id === undefined) {
    throw new Error('no server is running');
  }
  return id;
};

/** Returns the watchdog processes of services on the data folder. */
function watchdogs(): number[] {
  const table = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,args=']).toString().split('\n');
  return table
    .filter((line) => line.includes('stop-abandoned') && line.includes(installation.directory))
    .map((line) => Number.parseInt(line, 10));
}

it('the database server ends after a SIGKILL of the service', async () => {
  const service = await installation.started();
  const server = serverId();

  service.kill('SIGKILL');

  await until(() => !isAlive(server), 'the end of the server');
  await until(() => watchdogs().length === 0, 'the end of the watchdog');
});

it('the database server ends even if nothing can be locked for a while', async () => {
  const service = await installation.started();
  const server = serverId();
  const lock = join(installation.dataDirectory, 'postgres', 'starting.lock');
  // A file instead of a directory makes locking fail, as on a full disk.
  writeFileSync(lock, '');
  utimesSync(lock, 0, 0);

  service.kill('SIGKILL');
  await setTimeout(40_000);
  expect(isAlive(server)).toBe(true);
  rmSync(lock);

  await until(() => !isAlive(server), 'the end of the server');
  await until(() => watchdogs().length === 0, 'the end of the watchdog');
});

it('the database server keeps running for a service that starts after a SIGKILL', async () => {
  const killed = await installation.started();
  const [server, [first]] = [serverId(), watchdogs()];
  killed.kill('SIGKILL');

  const next = await installation.started();
  await until(() => !watchdogs().some((pid) => pid === first), 'the end of the first watchdog');

  expect(serverId()).toBe(server);
  expect((await fetch(`${next.url}/ready`)).status).toBe(200);
});

it('a stopped service leaves no watchdog behind', async () => {
  const service = await installation.started();
  const count = watchdogs().length;

  service.kill('SIGTERM');
  await service.ended;

  expect(count).toBe(1);
  await until(() => watchdogs().length === 0, 'the end of the watchdog');
});

asRoot('a service without an entry in /etc/passwd creates and starts its database', async () => {
  mkdirSync(installation.dataDirectory);
  chownSync(installation.dataDirectory, UNLISTED.uid, UNLISTED.gid);
  const service = installation.start({}, UNLISTED);

  await service.listening();

  expect(await fetch(`${service.url}/ready`)).toMatchObject({ status: 200 });
});

onLinux('a start fails with the reason if the data folder cannot be created', async () => {
  const service = installation.start({ DATA_DIR: '/proc/nope' });

  const { code, stderr } = await service.ended;

  expect(code).toBe(1);
  expect(stderr).toMatch(/DATA_DIR: cannot create or write \/proc\/nope \(ENOENT: no such file/);
});
