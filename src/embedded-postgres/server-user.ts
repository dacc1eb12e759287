import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** The system user that the server runs as; empty means the user of this process. */
export type ServerUser = Partial<Account>;

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

const FALLBACK: Account = { uid: 65534, gid: 65534 };

/** The account that replaces root, since PostgreSQL refuses to run as root. */
export async function unprivilegedUser(): Promise<Account> {
  const accounts = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  const account = ['postgres', 'nobody']
    .map((name) => accounts.find((line) => line.startsWith(`${name}:`)))
    .find((line) => line !== undefined);
  const [, , uid, gid] = account?.split(':') ?? [];
  return uid === undefined || gid === undefined ? FALLBACK : { uid: Number(uid), gid: Number(gid) };
}

/** The server inherits nothing of this process's environment, where secrets and PG* variables may be. */
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** What a program prints when it runs as the given user, from a directory every user can enter. */
export async function runAs(
  user: ServerUser,
  program: string,
  parameters: readonly string[],
): Promise<string> {
  const options = { ...user, cwd: '/', env: ENVIRONMENT, windowsHide: true };
  const { stdout } = await promisify(execFile)(program, parameters, options);
  return stdout;
}

/** Tells whether a user has a way into a directory; only the system itself knows, so it is tried. */
export async function canEnter(directory: string, user: ServerUser): Promise<boolean> {
  try {
    await runAs(user, '/bin/sh', ['-c', 'cd "$1"', 'sh', directory]);
    return true;
  } catch {
    return false;
  }
}
