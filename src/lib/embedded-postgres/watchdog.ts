import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import process from 'node:process';

import { workerFile } from '../util/worker-file.js';
import type { Home } from './home.js';

const PROGRAM = new URL('./stop-abandoned.process.js', import.meta.url);
/**
 * A shell script that waits until the service has ended, and then runs a program. A shell is used
 * because it needs only 1 MB of memory. A waiting Node process would need 40 MB.
 */
const WAIT_THEN_RUN = 'while read -r line; do :; done; exec "$@"';

/**
 * A child process that outlives this process. If this process ends without a call of `dismiss`, for
 * example by SIGKILL, the watchdog stops the database server, unless another process uses the
 * server.
 */
export class Watchdog {
  private constructor(private readonly child: ChildProcess) {}

  static over({ directory, user }: Home): Watchdog {
    const program = [
      process.execPath,
      workerFile(PROGRAM),
      directory,
      String(user.uid ?? ''),
      String(user.gid ?? ''),
    ];
    const [command = '', ...words] =
      process.platform === 'win32'
        ? program
        : ['/bin/sh', '-c', WAIT_THEN_RUN, 'satchel-watchdog', ...program];
    // Detaches the process, so that Ctrl-C does not end it. Passes no environment variables,
    // because they may contain secrets.
    const child = spawn(command, words, {
      cwd: process.platform === 'win32' ? undefined : '/',
      detached: true,
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
      windowsHide: true,
    });
    // Without a watchdog, the service works, but its database server survives a SIGKILL.
    child.on('error', () => undefined);
    child.stdin.on('error', () => undefined);
    child.unref();
    if (child.stdin instanceof Socket) {
      child.stdin.unref();
    }
    return new Watchdog(child);
  }

  /** Ends the watchdog process, but not the database server. */
  dismiss(): void {
    this.child.kill('SIGKILL');
  }
}
