import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The compiled worker: where it is named, or, where tests run the source, in what was built of it. */
export function workerFile(worker: URL): string {
  const compiled = fileURLToPath(worker);
  return existsSync(compiled)
    ? compiled
    : compiled.replace(`${sep}src${sep}resolver${sep}`, `${sep}dist${sep}src${sep}resolver${sep}`);
}
