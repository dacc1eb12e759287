// Upgrades an embedded database in its own process. Kills itself after a number of steps, as a power cut does.
import process from 'node:process';

import { startEmbeddedPostgres } from '../../dist/src/lib/embedded-postgres/embedded-postgres.js';
import { copyDatabase } from '../../dist/src/platform/database/copy-database.js';

const [directory, steps] = process.argv.slice(2);
let left = Number(steps);

const report = (progress) => {
  process.stdout.write(`${progress}\n`);
  left -= 1;
  if (left === 0) {
    process.kill(process.pid, 'SIGKILL');
    // The signal arrives at an unknown time, and no later step may run.
    return new Promise(() => undefined);
  }
  return Promise.resolve();
};

const server = await startEmbeddedPostgres({
  directory,
  upgrading: { copy: copyDatabase, report },
});
await server.stop();
