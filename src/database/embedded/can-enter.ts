import { runAs } from './run-as.js';
import type { ServerUser } from './server-user.js';

/** Tells whether a user has a way into a directory; only the system itself knows, so it is tried. */
export async function canEnter(directory: string, user: ServerUser): Promise<boolean> {
  try {
    await runAs(user, '/bin/sh', ['-c', 'cd "$1"', 'sh', directory]);
    return true;
  } catch {
    return false;
  }
}
