import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { Installation } from '../support/service-process.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

/** Libraries that the service loads only when a request or a page needs them. */
const SELDOM = [
  ...['linkedom', 'cssom', '@mozilla/readability', 'sanitize-html', 'pdfjs-dist', 'marked'],
  ...['@csstools/css-tokenizer'],
  ...['sharp', 'file-type', 'chardet', 'image-size'],
  ...['csv-parse', 'csv-stringify', 'stream-json', 'yauzl', 'yazl', 'pg-copy-streams'],
  ...[
    'undici',
    'socks',
    'nodemailer',
    'swagger-ui-dist',
    '@simplewebauthn/server',
    '@zxcvbn-ts/language-common',
  ],
  // For metrics, and for a log in text.
  ...['prom-client', 'pino-pretty'],
  // For the command line.
  ...['commander', 'cli-table3', 'cli-progress', '@inquirer/password'],
];

let installation: Installation;
let database: TestDatabase;

beforeAll(async () => {
  database = await aDatabase();
  installation = new Installation({ DATABASE_URL: database.url });
});

afterAll(async () => {
  await installation.close();
  await database.drop();
});

/** Starts and stops the service, and returns the files that it has loaded. */
async function filesOfAStart(): Promise<string[]> {
  const file = join(installation.directory, 'loaded');
  const preload = pathToFileURL(resolve('test/support/loaded-files.mjs')).href;
  const service = await installation.started({
    NODE_OPTIONS: `--import=${preload}`,
    LOADED_FILES: file,
  });
  await fetch(`${service.url}/health`);
  service.kill('SIGTERM');
  await service.ended;
  return readFileSync(file, 'utf8').split('\n');
}

it('starts without the libraries that are seldom needed', async () => {
  const files = await filesOfAStart();
  expect(files.some((name) => name.includes('/node_modules/typeorm/'))).toBe(true);
  expect(
    SELDOM.filter((library) => files.some((name) => name.includes(`/node_modules/${library}/`))),
  ).toEqual([]);
});
