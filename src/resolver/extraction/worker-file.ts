import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMPILED = fileURLToPath(new URL('./extract-page.worker.js', import.meta.url));

/** The compiled worker: beside this file, or, where tests run the source, in what was built of it. */
export const workerFile = (): string =>
  existsSync(COMPILED)
    ? COMPILED
    : COMPILED.replace(`${sep}src${sep}resolver${sep}`, `${sep}dist${sep}src${sep}resolver${sep}`);
