import { existsSync, readFileSync } from 'node:fs';

import { isObject, objectIn } from '../../src/platform/common/request-fields.js';
import { filesWith, isTexts, NAMES_IN_USE, textIn } from '../support/names-in-use.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

/**
 * Lists the names that must never change, because stored data, backups, clients or scripts depend on them. Two groups
 * of names are elsewhere: docs/openapi.json and openapi.contract-spec.ts contain the parameters and JSON keys of the
 * API and the other paths, and conformance/wallabag contains those of the wallabag API.
 */
const LIST = 'test/contract/kept-names.json';
const kept: unknown = JSON.parse(readFileSync(LIST, 'utf8'));

const TABLES = 'tables';
const PATHS = 'wallabag and opds paths';
const ENTRY_POINTS = 'entry points';

/**
 * Kinds of names that are literals in source files. The list contains the names by file: if a file moves, change its
 * path in the list. Each file that matches the pattern must be in the list.
 */
const NAMES_IN_FILES: Readonly<Record<string, RegExp | undefined>> = {
  'browser extension': /chrome\.storage\.local\.get\(/,
  'browser storage': /indexedDB\.open|localStorage|sessionStorage|sync\??\.register\(|`satchel\$/,
  'database roles, sessions and schemas': undefined,
  [ENTRY_POINTS]: undefined,
  'files in DATA_DIR': /join\((?:config\.)?dataDirectory/,
  'ids of feeds, books and notes': /uuidUrn\(`[^$]|urn:uuid:/,
  'labels of keys, hashes and signatures':
    /hkdfSync\(|createHmac\(|new (?:Cipher|Signatures)\(|(?:\.update\(|hash\('sha256', )`[^$]/,
  'stored JSON and HTML': undefined,
  'texts that clients match': undefined,
};

const KINDS = [...Object.keys(NAMES_IN_USE), ...Object.keys(NAMES_IN_FILES), TABLES, PATHS];

type Group = readonly [group: string, names: readonly string[]];

/** Returns the groups of a kind, such as the tables with their columns. */
const groupsOf = (kind: string): Group[] =>
  Object.entries(objectIn(kept, kind) ?? {}).map(([group, names]: [string, unknown]): Group => {
    if (!isTexts(names)) {
      throw new Error(`${LIST}: ${kind}: ${group} is not a list of names`);
    }
    return [group, names];
  });

/** Returns the listed names of a kind. A name in a group begins with the group, such as `users email`. */
function listedNames(kind: string): readonly string[] {
  const names = objectIn(kept, kind);
  return isTexts(names)
    ? names
    : groupsOf(kind).flatMap(([group, members]) => [
        group,
        ...members.map((name) => `${group} ${name}`),
      ]);
}

const missing = (name: string): string =>
  `${name} is missing: stored data, backups, clients or scripts depend on this name`;

/** Returns a message for each listed name that is missing, and for each name that is not listed. */
function differences(kind: string, found: readonly string[]): string[] {
  const listed = listedNames(kind);
  return [
    ...listed.filter((name) => !found.includes(name)).map(missing),
    ...[...new Set(found)]
      .filter((name) => !listed.includes(name))
      .map((name) => `${name} is new: add it to "${kind}" in ${LIST}`),
  ];
}

/** The characters before and after a name in a file: those of a string, of a template, or of a declared property. */
const SURROUNDINGS = [
  ...["'", '"', '`', '}'].flatMap((open) =>
    ["'", '"', '`', '${'].map((close) => [open, close] as const),
  ),
  ...[': ', '?: ', '!: '].map((close) => [' ', close] as const),
];

const isIn = (text: string, name: string): boolean =>
  SURROUNDINGS.some(([open, close]) => text.includes(`${open}${name}${close}`));

const COLUMNS = `
  SELECT relname::text AS table, attname::text AS column
  FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
    AND attnum > 0 AND NOT attisdropped`;

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

/** The APIs that docs/openapi.json does not describe. */
const OTHER_APIS = /^\/(?:wallabag\/(?:api|oauth)|opds)(?:\/|$)/;

/** Returns the mounted routes of the other APIs. The names of parameters are omitted. */
function otherRoutes({ app }: TestApp): string[] {
  const { router } = app.getHttpAdapter().getInstance() as unknown as {
    readonly router: { readonly stack: readonly Layer[] };
  };
  return router.stack.flatMap(({ route }) =>
    route !== undefined && OTHER_APIS.test(route.path)
      ? Object.keys(route.methods).map(
          (method) => `${method} ${route.path.replaceAll(/[:*]\w+/g, '{}')}`,
        )
      : [],
  );
}

describe('the list of kept names', () => {
  it('contains the kinds that this test checks', () => {
    const kinds = isObject(kept) ? Object.keys(kept) : [];

    expect(kinds).toEqual(KINDS.toSorted());
  });

  it('is sorted', () => {
    const lists = KINDS.map(listedNames);

    expect(lists).toEqual(lists.map((names) => names.toSorted()));
  });

  it.each(Object.entries(NAMES_IN_USE))('contains all names in use (%s)', async (kind, find) => {
    expect(differences(kind, await find())).toEqual([]);
  });

  it.each(Object.keys(NAMES_IN_FILES))('contains no name that its file lacks (%s)', (kind) => {
    const lost = groupsOf(kind).flatMap(([file, names]) => {
      const text = textIn(file);
      return names.filter((name) => !isIn(text, name)).map((name) => missing(`${file}: ${name}`));
    });

    expect(lost).toEqual([]);
  });

  it.each(Object.entries(NAMES_IN_FILES))('contains all their files (%s)', (kind, pattern) => {
    const files = groupsOf(kind).map(([file]) => file);
    const added = pattern === undefined ? [] : filesWith(pattern);

    expect(
      added
        .filter((file) => !files.includes(file))
        .map((file) => `${file} is new: add its names to "${kind}" in ${LIST}`),
    ).toEqual([]);
  });

  it('contains only entry points that the build creates', () => {
    const programs = groupsOf(ENTRY_POINTS)
      .flatMap(([, names]) => names)
      .filter((name) => name.startsWith('dist/'));

    expect(programs.filter((file) => !existsSync(file)).map(missing)).toEqual([]);
  });

  it('contains all cookies, since only the session middleware sets one', () => {
    const files = filesWith(/\.cookie\(/).map((file) => `${file} sets a cookie: add it to ${LIST}`);

    expect(files).toEqual([]);
  });

  describe('with a running service', () => {
    let app: TestApp;

    beforeAll(async () => {
      app = await aTestApp();
    });
    afterAll(() => app.close());

    it('contains all tables and columns', async () => {
      const rows = await app.database.query<{ table: string; column: string }>(COLUMNS);

      const found = rows.flatMap(({ table, column }) => [table, `${table} ${column}`]);
      expect(differences(TABLES, found)).toEqual([]);
    });

    it('contains all paths of the wallabag API and the OPDS catalogue', () => {
      expect(differences(PATHS, otherRoutes(app))).toEqual([]);
    });
  });
});
