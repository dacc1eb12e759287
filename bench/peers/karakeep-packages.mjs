import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import { parse } from 'yaml';

const API = 'packages/api';
const LINK = 'link:';
/** Serves the API on Node. Karakeep's workers use it; its API runs within Next.js. */
const SERVER = '@hono/node-server';

/** Returns the packages of npm that Karakeep's API needs, in the versions of Karakeep's lock file. */
export function packagesOf(source) {
  const lock = join(source, 'pnpm-lock.yaml');
  if (!existsSync(lock)) throw new Error(`${source} is not a checkout of Karakeep`);
  const { importers } = parse(readFileSync(lock, 'utf8'));
  const versions = { [SERVER]: importers['apps/workers'].dependencies[SERVER].version };
  const workspaces = new Set([API]);
  for (const workspace of workspaces) {
    for (const [name, { version }] of Object.entries(importers[workspace].dependencies)) {
      if (version.startsWith(LINK))
        workspaces.add(posix.join(workspace, version.slice(LINK.length)));
      else versions[name] = version;
    }
  }
  // The lock file writes the versions of peers in parentheses: 1.0.2(hono@4.12.32).
  const exact = Object.entries(versions).map(([name, version]) => [name, version.split('(')[0]]);
  return Object.fromEntries(exact);
}
