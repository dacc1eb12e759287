import { readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * Makes the symbolic links of the PostgreSQL libraries: npm packages cannot hold links, and
 * the script that makes them does not run under `--ignore-scripts`.
 */
export async function makeSymlinks(native: string): Promise<void> {
  const list: unknown = JSON.parse(
    await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
  );
  for (const { source, target } of Array.isArray(list) ? list.filter(isLink) : []) {
    const link = join(native, relative('native', target));
    // It exists, or node_modules is read-only: whether the binaries run tells.
    await symlink(relative(dirname(target), source), link).catch(() => undefined);
  }
}

function isLink(value: unknown): value is Link {
  return (
    typeof value === 'object' &&
    value !== null &&
    'source' in value &&
    typeof value.source === 'string' &&
    'target' in value &&
    typeof value.target === 'string'
  );
}
