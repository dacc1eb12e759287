import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns the folder of this installation, which contains its package.json. */
export const installedFolder = (directory = import.meta.dirname): string =>
  existsSync(join(directory, 'package.json')) ? directory : installedFolder(dirname(directory));

/** Returns the version of this installation from its package.json. */
export function installedVersion(directory = import.meta.dirname): string {
  const file = join(installedFolder(directory), 'package.json');
  const { version = '' } =
    /"version": "(?<version>[^"]+)"/.exec(readFileSync(file, 'utf8'))?.groups ?? {};
  return version;
}
