import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns the version of this installation from its package.json. */
export function installedVersion(directory = import.meta.dirname): string {
  const file = join(directory, 'package.json');
  if (!existsSync(file)) {
    return installedVersion(dirname(directory));
  }
  const { version = '' } =
    /"version": "(?<version>[^"]+)"/.exec(readFileSync(file, 'utf8'))?.groups ?? {};
  return version;
}
