import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import { reasonOf } from '../util/reason.js';
import { shippedBinaries } from './binaries.js';
import { createTemplate } from './cluster.js';
import { unprivilegedUser } from './server-user.js';

/**
 * Prepares a database cluster beside the shipped PostgreSQL programs. `npm run build` runs this script, and succeeds
 * even if this script fails. If the user that starts Satchel has no entry in /etc/passwd, the first start copies the
 * prepared cluster.
 */
async function prepareTemplate(): Promise<void> {
  const binaries = await shippedBinaries();
  const isPrepared = await readFile(join(binaries.template, 'PG_VERSION')).catch(() => undefined);
  if (isPrepared === undefined) {
    const user = process.getuid?.() === 0 ? await unprivilegedUser() : {};
    await createTemplate(binaries, user);
  }
}

if (process.platform !== 'win32') {
  await prepareTemplate().catch((error: unknown) => {
    process.stderr.write(`no prepared database: ${reasonOf(error)}\n`);
  });
}
