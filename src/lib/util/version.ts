import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The version of this installation, as its package.json has it. */
export function installedVersion(directory = import.meta.dirname): string {
  const file = join(directory, 'package.json');
  if (!existsSync(file)) {
    return installedVersion(dirname(directory));
  }
  const { version = '' } =
    /"version": "(?<version>[^"]+)"/.exec(readFileSync(file, 'utf8'))?.groups ?? {};
  return version;
}
