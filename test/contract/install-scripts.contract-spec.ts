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

describe('install scripts of dependencies', () => {
  it('are each allowed or denied in package.json', () => {
    expect(withScripts.filter((name) => !(name in allowScripts))).toEqual([]);
  });

  // Its install script installs another package globally and fails. With npm 10, `npm ci` ignores `allowScripts` and
  // would fail too. It only checks this flag, which npm does not add again.
  it('are not recorded for node-pocket in package-lock.json', () => {
    expect(packages).toHaveProperty(['node_modules/node-pocket']);
    expect(withScripts).not.toContain('node-pocket');
  });
});
