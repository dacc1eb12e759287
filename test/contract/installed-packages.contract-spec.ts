import { readFileSync } from 'node:fs';

import { minVersion, satisfies } from 'semver';

interface Package {
  readonly dev?: boolean;
  readonly license?: string;
  readonly engines?: { readonly node?: string };
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const manifest = read('package.json') as { readonly engines: { readonly node: string } };
const { packages } = read('package-lock.json') as {
  readonly packages: Readonly<Record<string, Package>>;
};

const installed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);

/** Licences that allow a service under the MIT licence to use the package unchanged. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
]);
/** Packages with the MIT licence in a file or in an old field, which package-lock.json does not contain. */
const MIT_WITHOUT_FIELD = [
  'busboy',
  'passport-local',
  'passport-strategy',
  'pause',
  'streamsearch',
];

describe('packages that an installation contains', () => {
  it('run on the oldest version of Node that the package allows', () => {
    const oldest = minVersion(manifest.engines.node)?.version ?? '';

    const tooNew = installed.filter(
      ([, { engines }]) => engines?.node !== undefined && !satisfies(oldest, engines.node),
    );

    expect(oldest).toBe('20.19.0');
    expect(installed.length).toBeGreaterThan(300);
    expect(tooNew.map(([path]) => path)).toEqual([]);
  });

  it('have licences that the licence of Satchel allows', () => {
    const licences = installed.map(([path, { license }]) => ({
      path,
      parts: license?.split(' AND ') ?? [],
    }));

    const refused = licences.filter(({ parts }) => !parts.every((part) => ALLOWED.has(part)));
    const without = licences.filter(({ parts }) => parts.length === 0);

    expect(refused).toEqual([]);
    expect(without.map(({ path }) => path.replace('node_modules/', ''))).toEqual(MIT_WITHOUT_FIELD);
  });
});
