import { constants, open, readFile } from 'node:fs/promises';

import type { Home } from './home.js';
import { dropForeignPidFile } from './pid-file.js';
import { runAs } from './run-as.js';
import type { Binaries } from './shipped-binaries.js';

const LOG_LINES = 6;

/** The server of one cluster, driven by pg_ctl: it is no child of Node, so Ctrl-C passes it by. */
export class Server {
  constructor(
    readonly home: Home,
    private readonly binaries: Binaries,
  ) {}

  async isRunning(): Promise<boolean> {
    await dropForeignPidFile(this.home.cluster);
    return this.control('status').then(
      () => true,
      () => false,
    );
  }

  /** Resolves when the server takes connections; after a crash it has recovered by then. */
  async start(options: string): Promise<void> {
    await this.giveLog();
    await this.control('start', '-w', '-t', '60', '-l', this.home.log, '-o', options);
  }

  /** Ends open connections and resolves when everything is written. */
  async stop(): Promise<void> {
    try {
      await this.control('stop', '-w', '-t', '60', '-m', 'fast');
    } catch (cause) {
      if (await this.isRunning()) {
        const { cluster, log } = this.home;
        throw new Error(`the server of ${cluster} does not stop: see ${log}`, { cause });
      }
    }
  }

  /** The last lines the server wrote about itself. */
  async lastWords(): Promise<string> {
    const log = await readFile(this.home.log, 'utf8').catch(() => '');
    return log.trimEnd().split('\n').slice(-LOG_LINES).join('\n');
  }

  private async control(action: string, ...parameters: string[]): Promise<void> {
    const { cluster, user } = this.home;
    await runAs(user, this.binaries.pg_ctl, [action, '-s', '-D', cluster, ...parameters]);
  }

  /** The server's user writes the log, but no file of its own beside it. */
  private async giveLog(): Promise<void> {
    const { log, user } = this.home;
    if (user.uid !== undefined && user.gid !== undefined) {
      const flags = constants.O_CREAT | constants.O_APPEND | constants.O_WRONLY;
      const file = await open(log, flags | constants.O_NOFOLLOW, 0o600);
      await file.chown(user.uid, user.gid).finally(() => file.close());
    }
  }
}
