import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = `${sep}src${sep}`;

/**
 * Returns the path of a worker's compiled file in the build output, even if the caller itself runs from source, as in
 * tests.
 */
export function workerFile(worker: URL): string {
  const compiled = fileURLToPath(worker);
  return existsSync(compiled) ? compiled : compiled.replace(SOURCE, `${sep}dist${SOURCE}`);
}
