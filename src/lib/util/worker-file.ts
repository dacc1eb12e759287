import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = `${sep}src${sep}`;

/** Returns the path of a compiled worker. Tests run the source, but the path is still in the build output. */
export function workerFile(worker: URL): string {
  const compiled = fileURLToPath(worker);
  return existsSync(compiled) ? compiled : compiled.replace(SOURCE, `${sep}dist${SOURCE}`);
}
