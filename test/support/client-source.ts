import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The source of a client, which is not part of this project. */
export interface ClientSource {
  readonly folder: string;
  /** Removes the unpacked files. */
  remove(): void;
}

/**
 * An environment variable that names a checkout or a git directory of the client. Folders are unpacked from its HEAD.
 */
export interface WantedSource {
  readonly variable: string;
  readonly folders: readonly string[];
  /** Required programs, each with arguments for a call that succeeds if the program is installed. */
  readonly programs?: readonly (readonly [program: string, ...args: string[]])[];
}

/**
 * Defines a suite that needs the source of a client. Without the source, one skipped test gives the reason. The source
 * is unpacked when the suite is collected, so that tests can load it.
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
    // Archives each folder separately, since a partial clone lacks files of other folders.
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
