import { configFrom } from '../config/config.js';
import type { DatabaseServer } from '../database/database-server.js';
import { WorkerGroup } from './primary.js';

const CONFIG = configFrom({
  JWT_SECRET: 'a secret of at least 32 bytes: 1',
  SESSION_SECRET: 'a secret of at least 32 bytes: 2',
  ...{ SATCHEL_WORKERS: '2', LOG_LEVEL: 'silent' },
});

/** Nothing listens there. */
const connection = { url: 'postgres://127.0.0.1:1/satchel' };
const AWAY: DatabaseServer = {
  ...{ connection, direct: connection, isEmbedded: false },
  close: () => Promise.resolve(),
};

describe('a schema that is up to date', () => {
  it('is told once, also when the database takes no connection to be asked for its limit', async () => {
    const workers = new WorkerGroup(CONFIG, AWAY, () => undefined);

    // A start repeats what fails.
    await expect(workers.migrated()).resolves.toBeUndefined();
  });
});
