import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

it('does not find a cluster that is incomplete', async () => {
  const [earlier, current] = [create('pg17'), create('pg18')];
  await markCopy(current, earlier);

  rmSync(join(earlier, 'global'), { recursive: true });

  expect(await isCopied(current, earlier)).toBe(false);
});
