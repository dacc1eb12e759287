import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { ServerUser } from './server-user.js';

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
