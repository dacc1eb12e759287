import { setTimeout as pause } from 'node:timers/promises';

import { signal, until } from '../processes.js';
import type { WorkerService } from '../worker-service.js';
import type { Disturbed, Fault } from './faults.js';

/** In a third of the cases, no web worker is left. */
const WEB_WORKERS = [['web 1'], ['web 2'], ['web 1', 'web 2']];

/** Kill processes of PostgreSQL and of the service with SIGKILL. Resolve when new processes run. */
export const PROCESS_FAULTS: Readonly<Record<string, Fault>> = {
  'PostgreSQL is killed': async ({ server, knock, roll }) => {
    await saved(knock);
    await server.kill();
    await pause(roll(2000));
    await server.startAgain();
  },
  'the process of a database session is killed': async ({ server, knock }) => {
    await saved(knock);
    await server.killSession();
  },
  'a web worker is killed': async ({ fleet, roll }) => {
    const workers = await fleet.workersOf(0);
    await replaced(workers, WEB_WORKERS[roll(WEB_WORKERS.length)]!);
  },
  'the background worker is killed': async ({ fleet, beginImport }) => {
    const workers = await fleet.workersOf(0);
    await beginImport();
    await replaced(workers, ['background']);
  },
};

/** Waits for an acknowledged save. A kill at once would show that PostgreSQL has not written it to its files. */
const saved = (knock: Disturbed['knock']): Promise<void> =>
  until(async () => (await knock()).status === 200, 'a save before the kill');

/** Kills workers at once. Resolves when new processes have replaced them. */
async function replaced(workers: WorkerService, names: readonly string[]): Promise<void> {
  const before = new Map(names.map((name) => [name, workers.pidOf(name)]));
  before.forEach((pid) => {
    signal(pid, 'SIGKILL');
  });
  for (const [name, pid] of before) {
    await until(() => workers.pidOf(name) !== pid, `a new process of the worker ${name}`);
  }
}
