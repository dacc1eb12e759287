import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { checkDisks } from './check-disks.js';

const GIB = 1024 ** 3;
const config = {
  dataDirectory: join(tmpdir(), 'a-missing-folder'),
  backup: undefined,
  importMegabytes: 500,
};

it('reports the free space of a file system once', () => {
  expect(checkDisks(config, tmpdir(), () => 1.5 * GIB)).toEqual([
    { check: 'disk', state: 'ok', detail: '1.5 GiB free for database, data, temporary files' },
  ]);
});

it('warns about a full disk, with what the service writes there', () => {
  const backup = { times: '30 3 * * *', directory: tmpdir(), keep: 1 };

  expect(checkDisks({ ...config, backup }, undefined, () => 0.9 * GIB)).toEqual([
    {
      check: 'disk',
      state: 'warning',
      detail: `0.9 GiB free for data, backups, temporary files, in ${tmpdir()}: make room before writes fail`,
    },
  ]);
});

it('measures a file system with only temporary files by the largest import', () => {
  const elsewhere = { ...config, dataDirectory: '/proc/a-missing-folder' };
  const states = (freeMegabytes: number) =>
    checkDisks(elsewhere, '/proc', (path) =>
      path === '/proc' ? 2 * GIB : freeMegabytes * 1_000_000,
    ).map(({ state }) => state);

  expect(states(600)).toEqual(['ok']);
  expect(states(400)).toEqual(['warning']);
});

it('warns about each full disk of several', () => {
  const findings = checkDisks(config, '/proc', (path) => (path === '/proc' ? 0 : 2 * GIB));

  expect(findings).toEqual([
    {
      check: 'disk',
      state: 'warning',
      detail: '0.0 GiB free for database, in /proc: make room before writes fail',
    },
  ]);
});
