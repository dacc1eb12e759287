import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { isCopied, markCopy } from './upgrade-mark.js';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'satchel-mark-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

function create(name: string, control = 'state'): string {
  const path = join(directory, name);
  mkdirSync(join(path, 'global'), { recursive: true });
  writeFileSync(join(path, 'global', 'pg_control'), control);
  return path;
}

it('finds the copied cluster', async () => {
  const [earlier, current] = [create('pg17'), create('pg18')];

  await markCopy(current, earlier);

  expect(await isCopied(current, earlier)).toBe(true);
});

it('does not find a cluster without a copy, or a cluster that was not copied', async () => {
  const [other, earlier, current] = [create('pg16'), create('pg17'), create('pg18')];
  const before = await isCopied(current, earlier);

  await markCopy(current, earlier);

  expect([before, await isCopied(current, other)]).toEqual([false, false]);
});

it.each(['other state', ''])('does not find a cluster that has changed: %j', async (control) => {
  const [earlier, current] = [create('pg17'), create('pg18')];
  await markCopy(current, earlier);

  create('pg17', control);

  expect(await isCopied(current, earlier)).toBe(false);
});

it('does not write through a link of the user who runs the server, because root may run the service', async () => {
  const [earlier, current] = [create('pg17'), create('pg18')];
  const target = join(directory, 'target');
  writeFileSync(target, 'text of root');
  symlinkSync(target, join(current, 'satchel-upgraded-from'));

  await expect(markCopy(current, earlier)).rejects.toThrow('EEXIST');

  expect(readFileSync(target, 'utf8')).toBe('text of root');
});

it('does not find a cluster that is incomplete', async () => {
  const [earlier, current] = [create('pg17'), create('pg18')];
  await markCopy(current, earlier);

  rmSync(join(earlier, 'global'), { recursive: true });

  expect(await isCopied(current, earlier)).toBe(false);
});
