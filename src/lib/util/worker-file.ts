import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = `${sep}src${sep}`;

/** The compiled worker: where it is named, or, where tests run the source, in what was built of it. */
export function workerFile(worker: URL): string {
  const compiled = fileURLToPath(worker);
  return existsSync(compiled) ? compiled : compiled.replace(SOURCE, `${sep}dist${SOURCE}`);
}
