// Packs the browser extension into one file for Chromium and Firefox. The output is reproducible.
// Usage: node scripts/extension-zip.mjs [file]
import { createWriteStream, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { ZipFile } from 'yazl';

const FOLDER = 'extension';
const OF_ANY_TIME = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true, mode: 0o100644 };
const { version } = JSON.parse(readFileSync(join(FOLDER, 'manifest.json'), 'utf8'));
const [target = join('dist', `satchel-extension-${version}.zip`)] = process.argv.slice(2);

const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.name.endsWith('.d.ts'))
  .map((entry) => join(entry.parentPath, entry.name))
  .sort();
const zip = new ZipFile();
for (const file of files) {
  const name = relative(FOLDER, file).replaceAll('\\', '/');
  zip.addBuffer(readFileSync(file), name, OF_ANY_TIME);
}
zip.end();
mkdirSync(dirname(target), { recursive: true });
await pipeline(zip.outputStream, createWriteStream(target));
console.log(target);
