import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { lockInstance } from '../../src/lib/embedded-postgres/locks.js';
import { Launcher, rowsOf } from '../support/launcher.js';
import { isAlive, until } from '../support/processes.js';

let original: Launcher;
let launcher: Launcher;
let foreign: ChildProcess | undefined;

beforeAll(async () => {
  original = await Launcher.afterFirstStart();
});
afterAll(() => original.close());
beforeEach(() => {
  launcher = original.copy();
});
afterEach(async () => {
  await launcher.close();
  foreign?.kill('SIGKILL');
  foreign = undefined;
});

describe('startEmbeddedPostgres', () => {
  it('takes over the server of a killed process', async () => {
    const killed = await launcher.start();
    await rowsOf(
      killed,
      `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = 'satchel-presence'`,
    );

    const next = await launcher.start();
    const rows = await rowsOf(next, 'SELECT 1 AS one');
    await next.stop();

    expect(next.connection).toEqual(killed.connection);
    expect(rows).toEqual([{ one: 1 }]);
    expect(launcher.isRunning).toBe(false);
  });

  it('recovers the committed data after every process was killed', async () => {
    const server = await launcher.start({ volatile: false });
    await rowsOf(server, 'CREATE TABLE kept AS SELECT 1 AS one');
    await launcher.killServer();

    const recovered = await launcher.start({ volatile: false });

    expect(recovered.created).toBe(false);
    expect(await rowsOf(recovered, 'SELECT * FROM kept')).toEqual([{ one: 1 }]);
  });

  it.each([
    ['another program', 'echo $$; exec sleep 600', true],
    ['a process nobody has reaped', 'sleep 0.1 & echo $!; exec sleep 600', false],
  ])('starts although %s has the process id of a crashed server', async (_, script, isRunning) => {
    const server = await launcher.start();
    await launcher.killServer();
    const { uid, gid } = await stat(launcher.cluster);
    foreign = spawn('sh', ['-c', script], { uid, gid, stdio: ['ignore', 'pipe', 'ignore'] });
    const pid = String(await new Promise((resolve) => foreign?.stdout?.once('data', resolve)));
    await until(() => isAlive(Number(pid)) === isRunning, 'the foreign process');
    for (const file of [launcher.pidFile, join(server.connection.host, '.s.PGSQL.5432.lock')]) {
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+\n/, pid));
    }

    const again = await launcher.start();

    expect(await rowsOf(again, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(foreign.exitCode ?? foreign.signalCode).toBeNull();
  });

  it('completes a first start that was killed before the database was created', async () => {
    const killed = await launcher.start();
    await rowsOf(killed, 'DROP DATABASE satchel', 'postgres');
    await killed.stop();

    const completed = await launcher.start();

    expect(await rowsOf(completed, 'SELECT current_database() AS name')).toEqual([
      { name: 'satchel' },
    ]);
  });
});

describe('lockInstance', () => {
  it('reports the end of the server, but not its own release', async () => {
    const server = await launcher.start();
    const [released, lost] = [jest.fn(), jest.fn()];
    await (await lockInstance(server.connection, released))?.release();
    await lockInstance(server.connection, lost);

    await launcher.killServer();
    await until(() => lost.mock.calls.length > 0, 'the loss of the lock');

    expect(lost).toHaveBeenCalledWith(expect.any(Error));
    expect(released).not.toHaveBeenCalled();
  });
});
