import { existsSync } from 'node:fs';
import process from 'node:process';

import { reasonOf } from '../util/reason.js';
import { shippedBinaries } from './binaries.js';
import { createTemplate } from './cluster.js';
import { unprivilegedUser } from './server-user.js';

/**
 * Packs a prepared database cluster next to the shipped PostgreSQL programs. The first start
 * unpacks this cluster if its user has no entry in /etc/passwd. Runs during `npm run build`, which
 * succeeds even if the cluster cannot be created.
 */
async function prepareTemplate(): Promise<void> {
  const binaries = await shippedBinaries();
  if (!existsSync(binaries.template)) {
    const user = process.getuid?.() === 0 ? await unprivilegedUser() : {};
    await createTemplate(binaries, user);
  }
}

if (process.platform !== 'win32') {
  await prepareTemplate().catch((error: unknown) => {
    process.stderr.write(`no prepared database: ${reasonOf(error)}\n`);
  });
}
