import { readFileSync } from 'node:fs';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
}
interface Manifest {
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const { packages } = read('package-lock.json') as Lock;
const { allowScripts } = read('package.json') as Manifest;

const withScripts = Object.entries(packages)
  .filter(([, { hasInstallScript }]) => hasInstallScript === true)
  .map(([path]) => path.replace(/^.*node_modules\//, ''));

describe('installing the dependencies', () => {
  it('runs no script that package.json has not judged', () => {
    expect(withScripts.filter((name) => !(name in allowScripts))).toEqual([]);
  });

  // Its install script installs another package globally and fails. With npm 10, `npm ci` ignores `allowScripts` and
  // would fail too. It only checks this flag, which npm does not add again.
  it('does not run that of node-pocket, also with an older npm: no hasInstallScript in the lock', () => {
    expect(packages).toHaveProperty(['node_modules/node-pocket']);
    expect(withScripts).not.toContain('node-pocket');
  });
});
