import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the source of a client stands, which is not part of this project. */
export interface ClientSource {
  readonly folder: string;
  /** Removes what was unpacked for the run. */
  remove(): void;
}

/** The variable names a checkout of the client, or a git directory, of whose HEAD the folders are unpacked. */
export interface WantedSource {
  readonly variable: string;
  readonly folders: readonly string[];
  /** Programs that the client needs, each with the arguments of a call that succeeds where it is there. */
  readonly programs?: readonly (readonly [program: string, ...args: string[]])[];
}

/**
 * A suite that runs where its client is there; elsewhere one skipped test says why. The source is unpacked when the
 * suite is collected, so that the tests can load it.
 */
export function describeClient(
  title: string,
  { variable, folders, programs = [] }: WantedSource,
  tests: (folder: string) => void,
): void {
  const named = process.env[variable] ?? '';
  const missing = programs.find(([program, ...args]) => !succeeds(program, args));
  const reason =
    named === '' || !existsSync(named)
      ? `${variable} names no checkout of the client`
      : missing && `the program ${missing.join(' ')} fails`;
  if (reason !== undefined) {
    describe(title, () => {
      it.skip(`is not run: ${reason}`, () => undefined);
    });
    return;
  }
  describe(title, () => {
    const source = unpacked(named, folders);
    afterAll(() => {
      source.remove();
    });
    tests(source.folder);
  });
}

function succeeds(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function unpacked(named: string, folders: readonly string[]): ClientSource {
  if (existsSync(join(named, folders[0] ?? ''))) {
    return { folder: named, remove: () => undefined };
  }
  const folder = mkdtempSync(join(tmpdir(), 'satchel-client-'));
  for (const path of folders) {
    mkdirSync(join(folder, path), { recursive: true });
    // Each as a tree of its own: a partial clone lacks files of others.
    const git = ['-c', 'safe.directory=*', `--git-dir=${named}`];
    const archive = execFileSync('git', [...git, 'archive', `HEAD:${path}`], {
      maxBuffer: 2 ** 28,
    });
    execFileSync('tar', ['-x', '-C', join(folder, path)], { input: archive });
  }
  return {
    folder,
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
