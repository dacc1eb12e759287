import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const VERSION = /"version": "(?<version>[^"]+)"/;

/** Returns the version in the package.json of a folder. Undefined if there is none. */
function versionIn(directory: string): string | undefined {
  const file = join(directory, 'package.json');
  return existsSync(file)
    ? VERSION.exec(readFileSync(file, 'utf8'))?.groups?.['version']
    : undefined;
}

/**
 * Returns the folder of this installation, which contains its package.json. The package.json in `dist` has no version,
 * because it only maps imports (docs/decisions/0133).
 */
export const installedFolder = (directory = import.meta.dirname): string =>
  versionIn(directory) === undefined ? installedFolder(dirname(directory)) : directory;

/** Returns the version of this installation from its package.json. */
export const installedVersion = (directory = import.meta.dirname): string =>
  versionIn(installedFolder(directory)) ?? '';
