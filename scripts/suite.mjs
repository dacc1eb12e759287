// Runs a suite in test/config by its name: npm run suite -- chaos [options of Jest]
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { run } from 'jest';

const FOLDER = join(import.meta.dirname, '..', 'test', 'config');
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => file.slice(0, -'.mjs'.length));
const [name, ...options] = process.argv.slice(2);
if (!names.includes(name)) {
  process.stderr.write(
    `Usage: npm run suite -- NAME [options of Jest]\nNames: ${names.join(', ')}\n`,
  );
  process.exit(2);
}
await run(['--config', join(FOLDER, `${name}.mjs`), ...options]);
