import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { errorCode } from './session.js';

/**
 * The system user that runs the database server. Empty if the server runs as the same user as this
 * process.
 */
export type ServerUser = Partial<Account>;

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

const FALLBACK: Account = { uid: 65534, gid: 65534 };

/**
 * Returns the account for the database server if this process runs as root, because PostgreSQL
 * refuses to run as root.
 */
export async function unprivilegedUser(): Promise<Account> {
  const accounts = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  const account = ['postgres', 'nobody']
    .map((name) => accounts.find((line) => line.startsWith(`${name}:`)))
    .find((line) => line !== undefined);
  const [, , uid, gid] = account?.split(':') ?? [];
  return uid === undefined || gid === undefined ? FALLBACK : { uid: Number(uid), gid: Number(gid) };
}

/**
 * The environment variables for programs that `runAs` starts. They exclude the variables of this
 * process, which may contain secrets or PG* settings.
 */
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * Runs a program as the given user and returns its output. The program runs in a directory that every user can enter.
 * @throws ProgramError if the program cannot start, or if its exit status is not 0
 */
export function runAs(
  user: ServerUser,
  program: string,
  parameters: readonly string[],
): Promise<string> {
  const options = { ...user, cwd: '/', env: ENVIRONMENT, windowsHide: true };
  return new Promise((resolve, reject) => {
    execFile(program, parameters, options, (error, stdout, stderr) => {
      if (error === null) {
        resolve(stdout);
      } else {
        reject(new ProgramError(program, stderr || stdout || error.message, error));
      }
    });
  });
}

const LAST_LINES = 6;

/** Thrown if a program has failed. The message contains the last lines that the program printed. */
class ProgramError extends Error {
  /** The exit status of the program, or the system code if the program could not start, such as ENOENT. */
  readonly code: unknown;

  constructor(program: string, output: string, error: Error) {
    const lines = output.trimEnd().split('\n').slice(-LAST_LINES).join('\n');
    const name = basename(program);
    super(lines.startsWith(`${name}:`) ? lines : `${name}: ${lines}`);
    this.code = errorCode(error);
  }
}

/**
 * Returns true if a user can enter a directory. Runs a program as this user, because only the
 * operating system knows all permissions.
 */
export async function canEnter(directory: string, user: ServerUser): Promise<boolean> {
  try {
    await runAs(user, '/bin/sh', ['-c', 'cd "$1"', 'sh', directory]);
    return true;
  } catch {
    return false;
  }
}
