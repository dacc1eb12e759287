// Checks src against docs/develop/architecture.md and docs/develop/glossary.md. A folder has at most 25 files. A file
// with one importer has more than 15 lines. A template, and a style sheet or script of the pages, has at most 300
// lines. SQL is only next to its repository. No words that the glossary replaces. In templates and scripts, all
// addresses of the service use `at`. In declaration files of all folders, relative imports resolve.
// Usage: node scripts/check-structure.mjs [folder]
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const MOST_FILES = 25;
const FEWEST_LINES = 15;
/** The most lines of a template, and of a style sheet or script of the pages. */
const MOST_LINES = 300;
const MAY_BE_SHORT =
  /\.(entity|module|errors?|guard|d)\.ts$|\.(worker|process)\.ts$|\/migrations\/|^src\/(main|cli)\.ts$/;
const NAMES_COLUMNS = /\.sql\.ts$|\.entity\.ts$|\/migrations\//;
/**
 * `stamp` and `remark` occur in names of columns and tables. Express and express-session have classes named `Store`.
 */
const COLUMNS = new Set(['stamp', 'remark']);
const ALLOWED_TERMS = new Set(['store', 'slice']);
/** A column in the SQL of other files, a path and an operation id of the API, a doctor state, the system account. */
const API_NAMES =
  /\$\{row\}\.stamp\b|SET stamp = greatest\(stamp\b|\/remarks\b|'importRemarks'|'fault'|'nobody'/g;

const only = process.argv[2] ?? '';
const sources = readdirSync('src', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name))
  .sort();
const texts = new Map(sources.map((file) => [file, readFileSync(file, 'utf8')]));
const isSpec = (file) => file.endsWith('.spec.ts');
const found = [];
const report = (file, what) => {
  if (file.startsWith(only)) {
    found.push(`${file}: ${what}`);
  }
};

function importsOf(file) {
  const matches = texts.get(file).matchAll(/(?:from|import)\s*\(?'(\.[^']+)\.js'/g);
  return [...matches].map(([, path]) => normalize(join(dirname(file), `${path}.ts`)));
}

function checkFolders() {
  const counts = new Map();
  for (const file of sources.filter((source) => !isSpec(source))) {
    const folder = dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  for (const [folder, count] of counts) {
    if (count > MOST_FILES && !folder.endsWith('migrations')) {
      report(folder, `${count} files; at most ${MOST_FILES}`);
    }
  }
}

function checkShortFiles() {
  const importers = new Map();
  for (const file of sources.filter((source) => !isSpec(source))) {
    for (const imported of importsOf(file)) {
      importers.set(imported, (importers.get(imported) ?? new Set()).add(file));
    }
  }
  for (const file of sources.filter((source) => !isSpec(source) && !MAY_BE_SHORT.test(source))) {
    const lines = texts.get(file).split('\n').length - 1;
    const users = importers.get(file) ?? new Set();
    if (lines <= FEWEST_LINES && users.size === 1) {
      report(file, `${lines} lines for ${[...users][0]} alone; it belongs there`);
    }
  }
}

function checkStatements() {
  for (const [file, text] of texts) {
    const hasStatements =
      NAMES_COLUMNS.test(file) || importsOf(file).some((path) => path.endsWith('.sql.ts'));
    const isOfDatabase =
      /^src\/(platform\/database|lib\/embedded-postgres|transfer\/backup)\//.test(file);
    if (
      !isSpec(file) &&
      !hasStatements &&
      !isOfDatabase &&
      /\.query[<(]|queryRows[<(]/.test(text)
    ) {
      report(file, 'SQL that is not of a .sql.ts file');
    }
  }
}

const forbidden = new Map(
  [
    ...readFileSync('docs/develop/glossary.md', 'utf8').matchAll(
      /^\| ([^|]+?) +\|[^|]+\| ([^|]*?) *\|$/gm,
    ),
  ]
    .slice(1)
    .flatMap(([, term, words]) => words.split(', ').map((word) => [word, term]))
    .filter(([word]) => /^[a-z]+$/.test(word) && !ALLOWED_TERMS.has(word)),
);

/**
 * Splits `pageFaultsOf` into page, faults, of. Names with underscores belong to the database or the API, so they are
 * skipped.
 */
function wordsOf(text) {
  return (text.match(/[A-Za-z][A-Za-z_]*/g) ?? [])
    .filter((token) => !token.includes('_') || token === token.toUpperCase())
    .flatMap((token) => token.split(/_|(?<=[a-z])(?=[A-Z])/))
    .map((word) => word.toLowerCase());
}

function checkWords() {
  for (const [file, text] of texts) {
    text.split('\n').forEach((line, at) => {
      for (const word of wordsOf(line.replaceAll(API_NAMES, ''))) {
        const stem = forbidden.has(word) ? word : word.replace(/s$/, '');
        const isColumn = NAMES_COLUMNS.test(file) && COLUMNS.has(stem);
        if (forbidden.has(stem) && !isColumn) {
          report(`${file}:${at + 1}`, `"${word}"; the glossary says ${forbidden.get(stem)}`);
        }
      }
    });
  }
}

/** Addresses of other sites, complete addresses of this service, and anchors within the page. */
const NO_PATHS =
  /^(?:#|<%= (?:item\.originalHref|it\.bookmarklet|it\.url|it\.picture\.src|url) %>|\$\{escape\(it\.appUrl\)\})/;

/** An address of the service in a template, or in a tag that a template gives to `html`. */
const OWN_PATH = /^(?:<%= |\$\{)(?:at|asset)\(/;
/** The address of an asset without its hash, which browsers would revalidate for each page. */
const UNHASHED_ASSET = /\bat\(['"`]\/pages\//;

/** Below a sub-path (docs/decisions/0064), any other address would leave the service. */
function checkTemplates() {
  const templates = readdirSync('src/web', { recursive: true })
    .filter((name) => name.endsWith('.eta'))
    .map((name) => join('src/web', name));
  for (const file of templates) {
    const attributes = /(?<![\w-])(?:href|src|action|formaction)="([^"]*)"/g;
    for (const [text, address] of readFileSync(file, 'utf8').matchAll(attributes)) {
      if (!OWN_PATH.test(address) && !NO_PATHS.test(address)) {
        report(file, `${text}; an own address is written <%= at('/path') %>`);
      } else if (UNHASHED_ASSET.test(address)) {
        report(file, `${text}; the address of an asset is written <%= asset('style.css') %>`);
      }
    }
  }
}

/** A script that fetches or opens one of the service's paths. Paths in comparisons have no sub-path. */
const BARE_PATH =
  /(?:\b(?:fetch|match|register|add|put|keep)\(|\b(?:href|src|location|pathname)\s*[=:])\s*['"`]\//;

function checkScripts() {
  for (const name of readdirSync('src/web/assets').filter((one) => one.endsWith('.js'))) {
    const file = join('src/web/assets', name);
    readFileSync(file, 'utf8')
      .split('\n')
      .forEach((line, at) => {
        if (BARE_PATH.test(line)) {
          report(`${file}:${at + 1}`, `an own path is written at('/path') (own-path.js)`);
        }
      });
  }
}

function checkLengths() {
  const files = readdirSync('src', { recursive: true }).filter((name) =>
    /\.(?:css|eta|js)$/.test(name),
  );
  for (const file of files.map((name) => join('src', name))) {
    const lines = readFileSync(file, 'utf8').split('\n').length - 1;
    if (lines > MOST_LINES) {
      report(file, `${lines} lines; at most ${MOST_LINES}`);
    }
  }
}

/** Folders with files of libraries, or with generated files. */
const FOREIGN = /^(?:\..*|node_modules|dist|coverage)$/;

/** The endings that replace `.js` or `.mjs` in the file that an import resolves to. */
const SOURCE_ENDINGS = ['js', 'ts', 'd.ts'];

/** TypeScript does not report missing files in declaration files, because of `skipLibCheck`. */
function checkDeclarations() {
  const folders = readdirSync('.', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !FOREIGN.test(entry.name))
    .map(({ name }) => name);
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((name) => join(folder, name)),
  );
  for (const file of files.filter((name) => /\.d\.[cm]?ts$/.test(name))) {
    const imports = readFileSync(file, 'utf8').matchAll(
      /(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g,
    );
    for (const [, path] of imports) {
      const target = join(dirname(file), path);
      const [, start, kind] = /^(.*)\.([cm]?)js$/.exec(target) ?? [];
      const candidates = start
        ? SOURCE_ENDINGS.map((ending) => `${start}.${ending.replace(/(?=[jt]s$)/, kind)}`)
        : [target];
      if (!candidates.some((candidate) => existsSync(candidate))) {
        report(file, `imports ${path}, which does not exist`);
      }
    }
  }
}

checkDeclarations();
checkTemplates();
checkScripts();
checkLengths();
checkFolders();
checkShortFiles();
checkStatements();
checkWords();
for (const line of found) {
  console.log(line);
}
if (found.length > 0) {
  console.log(`${found.length} places`);
  process.exitCode = 1;
}
