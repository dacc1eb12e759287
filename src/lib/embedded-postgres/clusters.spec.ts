import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CLUSTER, clusterNames, findClusters, MAJOR, serverDirectories } from './clusters.js';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'satchel-clusters-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

function create(name: string, version?: string): string {
  const path = join(directory, name);
  mkdirSync(path);
  if (version !== undefined) {
    writeFileSync(join(path, 'PG_VERSION'), `${version}\n`);
  }
  return path;
}

describe('findClusters', () => {
  it('names the shipped cluster after the shipped version', () => {
    expect(CLUSTER).toBe(`pg${MAJOR}`);
  });

  it('finds nothing in a new directory', async () => {
    expect(await findClusters(directory)).toEqual({
      current: undefined,
      previous: [],
      newer: undefined,
      drafts: [],
      deleted: [],
    });
  });

  it('finds each state of an upgrade', async () => {
    const [nine, seventeen] = [create('pg9', '9'), create('pg17', '17')];
    const [draft, deleted] = [create('pg18.new-x1'), create('pg16.deleted', '16')];
    const current = create('pg18', '18');
    const newer = create('pg19', '19');
    create('pgsql');
    create('pg17.backup', '17');
    writeFileSync(join(directory, 'postgres.log'), '');

    expect(await findClusters(directory)).toEqual({
      current: { path: current, major: '18' },
      previous: [
        { path: seventeen, major: '17' },
        { path: nine, major: '9' },
      ],
      newer: { path: newer, major: '19' },
      drafts: [draft],
      deleted: [deleted],
    });
  });

  it('ignores a directory without a version, which initdb has not filled', async () => {
    create('pg17');

    expect((await findClusters(directory)).previous).toEqual([]);
  });

  it('rejects a cluster with the name of another version', async () => {
    const path = create('pg18', '17');

    await expect(findClusters(directory)).rejects.toThrow(
      `${path} was made by PostgreSQL 17: rename it to pg17 and start again`,
    );
  });
});

it('lists clusters and drafts, in which a server may run', async () => {
  const paths = [create('pg17', '17'), create('pg18.new-x1')];
  create('pg16.deleted');
  create('pgsql');

  expect((await serverDirectories(directory)).sort()).toEqual(paths);
});

it('sorts the names of clusters by version, and returns none for a missing directory', async () => {
  ['pg9', 'pg18', 'pg17'].forEach((name) => create(name));

  expect(await clusterNames(directory)).toEqual(['pg18', 'pg17', 'pg9']);
  expect(await clusterNames(join(directory, 'missing'))).toEqual([]);
});
