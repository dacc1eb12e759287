// Writes docs/openapi.json from the code, without a database. With --check, it only reports whether the file is up to
// date.
import { readFileSync, writeFileSync } from 'node:fs';

import { format, resolveConfig } from 'prettier';

import { describeService } from '../dist/src/app/describe-service.js';

const FILE = 'docs/openapi.json';

const options = { ...(await resolveConfig(FILE)), filepath: FILE };
const current = await format(JSON.stringify(await describeService()), options);

if (!process.argv.includes('--check')) {
  writeFileSync(FILE, current);
} else if (readFileSync(FILE, 'utf8') !== current) {
  console.error(`${FILE} is out of date: run npm run openapi`);
  process.exit(1);
}
