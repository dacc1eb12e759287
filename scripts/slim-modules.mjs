// Makes an installation without development packages smaller: deletes the files of `node_modules` that the service never
// reads (docs/host/operating.md). Prints the size before and after.
//
//   node scripts/slim-modules.mjs [FOLDER]    the folder that contains node_modules, by default the current one
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const modules = join(process.argv[2] ?? '.', 'node_modules');

/** Source maps and type declarations are for people who change the code of a library. */
const UNUSED_FILES = /\.(?:map|d\.[cm]?ts|tsbuildinfo)$/;

/** Builds for browsers, sources, and a package that only compilers need. */
const UNUSED_FOLDERS = [
  'typescript',
  'typeorm/browser',
  'rxjs/src',
  'rxjs/dist/esm',
  'rxjs/dist/esm5',
  'rxjs/dist/bundles',
  'libphonenumber-js/bundle',
];

/** @returns {{ path: string, bytes: number }[]} */
const filesOf = () =>
  readdirSync(modules, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, bytes: statSync(path).size }));

const megabytes = (files) =>
  Math.round(files.reduce((total, { bytes }) => total + bytes, 0) / 1_000_000);

if (existsSync(join(modules, 'jest'))) {
  console.error('node_modules contains development packages. Run `npm prune --omit=dev` first.');
  process.exitCode = 1;
} else {
  const before = filesOf();
  UNUSED_FOLDERS.forEach((folder) =>
    rmSync(join(modules, folder), { recursive: true, force: true }),
  );
  before
    .filter(({ path }) => UNUSED_FILES.test(path))
    .forEach(({ path }) => rmSync(path, { force: true }));
  console.log(`node_modules: ${megabytes(before)} MB before, ${megabytes(filesOf())} MB now`);
}
