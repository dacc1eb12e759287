import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const OVERVIEW = 'docs/host/security.md';
const REQUIREMENTS = 'docs/host/asvs.md';
const INVENTORY = 'docs/host/inventory.md';
const VERDICTS = ['met', 'partly', 'not met', 'does not apply'];
/** The requirements of levels 1 and 2 of OWASP ASVS 5.0. */
const REQUIREMENT_COUNT = 253;

/** The cells of a row, keyed by the headings of its table. */
type Row = Readonly<Record<string, string>>;

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

function rowsIn(page: string): Row[] {
  let headings: string[] = [];
  let previous = '';
  return readFileSync(page, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const isHeading = line.startsWith('|') && !previous.startsWith('|');
      previous = line;
      if (isHeading) {
        headings = cellsOf(line);
      }
      return isHeading || !line.startsWith('|') || line.startsWith('| --')
        ? []
        : [Object.fromEntries(cellsOf(line).map((cell, at) => [headings[at] ?? '', cell]))];
    });
}

const quotedIn = (text: string): string[] =>
  Array.from(text.matchAll(/`([^`]+)`/g), ([, name = '']) => name);

/** Returns the names of tests on a page. */
const testsIn = (page: string): string[] =>
  rowsIn(page).flatMap((row) =>
    quotedIn(`${row['tests'] ?? ''}${row['tests and documents'] ?? ''}`),
  );

const codeIn = (page: string): string[] =>
  rowsIn(page).flatMap((row) => quotedIn(row['code'] ?? ''));

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));

const FILES = ['src', 'test'].flatMap(filesIn);

/** Returns the files that a name can mean, by the rule at the beginning of security.md. */
function filesOf(name: string): string[] {
  const file = /[.-]spec$/.test(name) ? `${name}.ts` : `${name}.e2e-spec.ts`;
  const folder = name.endsWith('.spec') ? 'src/' : 'test/';
  return FILES.filter((path) => path.startsWith(folder) && path.endsWith(`/${file}`));
}

const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .replaceAll(' ', '-');

const slugsIn = (page: string): string[] =>
  Array.from(readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    slugOf(heading),
  );

/** Returns false if a link of a page leads to a missing file, or to a missing heading of a page. */
function isAlive(page: string, link: string): boolean {
  const [path = '', fragment] = link.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  return existsSync(file) && (fragment === undefined || slugsIn(file).includes(fragment));
}

const linksIn = (page: string): string[] =>
  Array.from(readFileSync(page, 'utf8').matchAll(/\]\(([^)]+)\)/g), ([, link = '']) => link);

/** Returns the numbers of `1.2.6 to 1.2.8`. */
function numbersIn(cell: string): string[] {
  const [first = '', last = first] = cell.split(' to ');
  const [chapter, section, from = 0] = first.split('.').map(Number);
  const to = Number(last.split('.')[2]);
  return Array.from({ length: to - from + 1 }, (_, at) => `${chapter}.${section}.${from + at}`);
}

const requirements = (): Row[] => rowsIn(REQUIREMENTS).filter((row) => 'reason' in row);

describe.each([OVERVIEW, REQUIREMENTS])('%s', (page) => {
  it('names only tests that exist, and each name means one file', () => {
    const names = testsIn(page);

    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => filesOf(name).length !== 1)).toEqual([]);
  });

  it('names only code that exists', () => {
    const paths = codeIn(page);

    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });
});

it.each([OVERVIEW, REQUIREMENTS, INVENTORY])('%s has no dead link', (page) => {
  const links = linksIn(page).filter((link) => !link.startsWith('https:'));

  expect(links.length).toBeGreaterThan(3);
  expect(links.filter((link) => !isAlive(page, link))).toEqual([]);
});

describe('the requirements of ASVS', () => {
  it('are each listed once, in order', () => {
    const numbers = requirements().flatMap((row) => numbersIn(row['requirement'] ?? ''));
    const inOrder = numbers.toSorted((one, other) =>
      one.localeCompare(other, 'en', { numeric: true }),
    );

    expect(numbers).toEqual(inOrder);
    expect(new Set(numbers).size).toBe(REQUIREMENT_COUNT);
    expect(numbers).toHaveLength(REQUIREMENT_COUNT);
  });

  it('have the verdicts that the page counts', () => {
    const counted = rowsIn(REQUIREMENTS)
      .filter((row) => 'requirements' in row)
      .map((row) => [row['verdict'], Number(row['requirements'])]);

    const counts = VERDICTS.map((verdict) => [
      verdict,
      requirements()
        .filter((row) => row['verdict'] === verdict)
        .flatMap((row) => numbersIn(row['requirement'] ?? '')).length,
    ]);

    expect(counted).toEqual(counts);
  });

  it('have a reason unless they are met, and code or a document if they are met', () => {
    const isExplained = (row: Row): boolean =>
      row['verdict'] === 'met'
        ? `${row['code'] ?? ''}${row['tests and documents'] ?? ''}` !== ''
        : row['reason'] !== '';

    expect(requirements().filter((row) => !isExplained(row))).toEqual([]);
  });
});
