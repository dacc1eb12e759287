// Packs the browser extension into one file for Chromium and Firefox. The output is reproducible.
// Needs the built service. Usage: node scripts/extension-zip.mjs [file]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { packExtension } from '../dist/src/web/account/extension/extension-zip.js';

const { name, bytes } = await packExtension();
const [target = join('dist', name)] = process.argv.slice(2);
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, bytes);
console.log(target);
