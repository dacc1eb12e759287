import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { getMetadataStorage } from 'class-validator';
import { Command } from 'commander';

import { LISTS } from '../../src/apis/feeds/feed-choice.js';
import { SHELVES } from '../../src/apis/opds/shelves.js';
import { sessionCookieName } from '../../src/auth/session/session.middleware.js';
import { runProgram } from '../../src/cli/program.js';
import { EXPORT_FORMATS } from '../../src/lib/library-formats/writing/export-formats.js';
import { writeJsonLines } from '../../src/lib/library-formats/writing/jsonl.js';
import { ERROR_CATALOGUE } from '../../src/platform/common/error.catalogue.js';
import { isObject } from '../../src/platform/common/request-fields.js';
import { configFrom } from '../../src/platform/config/config.js';
import { Environment } from '../../src/platform/config/environment.js';
import { PROXY_VARIABLES } from '../../src/platform/config/fetch-proxy.js';
import { fileVariable, secretSettings } from '../../src/platform/config/secret-files.js';
import { MIGRATIONS } from '../../src/platform/database/migrations.js';
import { migrationName } from '../../src/platform/database/schema-version.js';
import {
  CopiedSequence,
  CopiedTable,
  FORMAT,
  Manifest,
  MANIFEST_PATH,
  pathOf,
} from '../../src/transfer/backup/backup-file.js';
import { aLibrary, anItem, textOf } from './a-library.js';

/** Returns the text of a file, or an empty text if the file does not exist. */
export const textIn = (file: string): string =>
  existsSync(file) ? readFileSync(file, 'utf8') : '';

/** The texts of the source files by path. */
const SOURCES: ReadonlyMap<string, string> = new Map(
  ['src', 'extension'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|js|json)$/.test(name) && !name.endsWith('.spec.ts'))
      .map((name): [string, string] => [join(folder, name), textIn(join(folder, name))]),
  ),
);

export const filesWith = (pattern: RegExp): string[] =>
  [...SOURCES].filter(([, text]) => pattern.test(text)).map(([file]) => file);

/** Returns the first group of each match in the source files of a folder. */
const foundIn = (folder: string, pattern: RegExp): string[] =>
  [...SOURCES]
    .filter(([file]) => file.startsWith(`${folder}/`))
    .flatMap(([, text]) => firstGroups(text, pattern));

const firstGroups = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);

export const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const metadataOf = (type: new () => object) =>
  getMetadataStorage().getTargetValidationMetadatas(type, '', true, false);

/** Returns the environment variables. A variable with fixed values is followed by each of them. */
const settings = (): string[] => [
  ...metadataOf(Environment).flatMap(({ propertyName, name, constraints }) => {
    const [values]: unknown[] = name === 'isIn' ? constraints : [];
    const choices = isTexts(values) ? values : [];
    return [propertyName, ...choices.map((choice) => `${propertyName}=${choice}`)];
  }),
  ...secretSettings().map(fileVariable),
  ...PROXY_VARIABLES,
];

/** Returns a command, its options, the choices of its options and arguments, and its subcommands. */
function namesIn(command: Command, parent = ''): string[] {
  const name = `${parent}${command.name()}`;
  const parts = [
    ...command.options.flatMap(({ long = '', argChoices = [] }) => [
      long,
      ...argChoices.map((choice) => `${long}=${choice}`),
    ]),
    ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
  ];
  return [
    name,
    ...parts.map((part) => `${name} ${part}`),
    ...command.commands.flatMap((one) => namesIn(one, `${name} `)),
  ];
}

/** Without arguments, the program loads all commands. The spy stops it before it parses the arguments. */
async function commands(): Promise<string[]> {
  const parse = jest.spyOn(Command.prototype, 'parseAsync').mockResolvedValue(new Command());
  await runProgram([]);
  const program: unknown = parse.mock.contexts[0];
  parse.mockRestore();
  return program instanceof Command ? program.commands.flatMap((one) => namesIn(one)) : [];
}

/** Returns the large numbers in files that use advisory locks. A key with fewer than 7 digits is not found. */
const lockKeys = (): string[] =>
  filesWith(/pg_\w*advisory_\w*lock/).flatMap((file) =>
    firstGroups(textIn(file).replaceAll(/(?<=\d)_(?=\d)/g, ''), /\b(\d{7,})\b/g),
  );

function cookies(): string[] {
  const secret = 'a secret of at least 32 bytes: 1';
  const variables = { JWT_SECRET: secret, SESSION_SECRET: secret, TRUST_PROXY: '1' };
  return [undefined, 'https://example.com', 'https://example.com/satchel'].map((address) =>
    sessionCookieName(configFrom({ ...variables, PUBLIC_URL: address })),
  );
}

const SESSION_TYPES = /interface (?:EncryptedSession|SessionData) \{\n([\s\S]*?)\n\s*\}\n/g;
const FIELD = /^\s+(?:readonly )?(\w+)\??: /gm;

/** Returns the fields of the encrypted session cookie. */
const sessionFields = (): string[] => [
  ...foundIn('src', SESSION_TYPES).flatMap((body) => firstGroups(body, FIELD)),
  ...['src/auth', 'src/web'].flatMap((folder) => foundIn(folder, /\bsession\.(\w+) = /g)),
];

/** Returns the keys of a JSON value at any depth, such as `page.title`. */
function keysIn(value: unknown, place = ''): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((one: unknown) => keysIn(one, place));
  }
  const members: [string, unknown][] = isObject(value) ? Object.entries(value) : [];
  return members.flatMap(([key, member]) => [
    `${place}${key}`,
    ...keysIn(member, `${place}${key}.`),
  ]);
}

/** Returns the first line of an export in Satchel's own format, and the keys of an item with all data. */
async function exportKeys(): Promise<string[]> {
  const range = { start: '/p[1]', startOffset: 0, end: '/p[1]', endOffset: 4 };
  const texts = { annotationId: 'a', quote: 'q', patch: '@@', version: '2', note: 'n' };
  const details = { originUrl: 'https://example.com/', publishedAt: 1, authors: ['Ada'] };
  const library = aLibrary([
    {
      // The library has a page only for the item 2.
      item: anItem({ itemId: '2', note: 'n' }),
      annotations: [{ ...texts, ranges: [range], createdAt: 9, color: 'blue' }],
      details: { ...details, language: 'en', previewPicture: 'https://example.com/a.png' },
    },
  ]);
  const lines = await textOf(writeJsonLines(library, { withArticles: true }));
  const [head = '', item = ''] = lines.split('\n');
  return [head, ...keysIn(JSON.parse(item))];
}

/** Returns the format number, the files and the manifest's fields of a backup. */
function partsOfBackup(): string[] {
  const fieldsOf = (type: new () => object, place: string): string[] =>
    metadataOf(type).map(({ propertyName }) => `${place} ${propertyName}`);
  return [
    `format ${FORMAT}`,
    MANIFEST_PATH,
    pathOf('{table}'),
    ...fieldsOf(Manifest, MANIFEST_PATH),
    ...fieldsOf(CopiedTable, `${MANIFEST_PATH} tables`),
    ...fieldsOf(CopiedSequence, `${MANIFEST_PATH} sequences`),
  ];
}

/** For each kind of names, finds all names that the service uses. */
export const NAMES_IN_USE: Readonly<
  Record<string, () => readonly string[] | Promise<readonly string[]>>
> = {
  commands,
  cookies,
  'error codes': () =>
    Object.entries(ERROR_CATALOGUE).map(
      ([code, { status, xErrorCode }]) => `${code} ${status} ${xErrorCode}`,
    ),
  'export formats': () =>
    Object.entries(EXPORT_FORMATS).map(([name, { fileName }]) => `${name} ${fileName}`),
  'export keys': exportKeys,
  feeds: () => Object.keys(LISTS),
  'import formats': () =>
    foundIn('src/lib/library-formats/formats', /^\s*name: '([a-z][\w-]*)',$/gm),
  'lock keys': lockKeys,
  migrations: () => MIGRATIONS.map((Migration) => migrationName(new Migration())),
  'opds shelves': () => [...SHELVES.values()].map(({ path }) => path),
  'parts of a backup': partsOfBackup,
  'session fields': sessionFields,
  settings,
};
