import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { makeDirectory } from './make-directory.js';

let parent: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'satchel-directory-'));
});
afterEach(() => {
  rmSync(parent, { recursive: true });
});

describe('makeDirectory', () => {
  it('creates all missing parents, and returns the first of them', () => {
    const path = join(parent, 'one', 'two', 'three');

    expect(makeDirectory(path, 0o700)).toBe(join(parent, 'one'));
    expect(statSync(path).isDirectory()).toBe(true);
    expect(makeDirectory(path)).toBeUndefined();
  });

  it('throws for a path below a file', () => {
    writeFileSync(join(parent, 'file'), '');

    expect(() => makeDirectory(join(parent, 'file', 'one'))).toThrow('ENOTDIR');
    expect(() => makeDirectory(join(parent, 'file'))).toThrow('ENOTDIR');
  });

  it('throws at once where the file system takes no directories', () => {
    const path = existsSync('/proc/self') ? '/proc/satchel/data' : join(parent, '\0', 'data');

    expect(() => makeDirectory(path)).toThrow(/ENOENT|ERR_INVALID_ARG_VALUE|null bytes/);
  });
});
