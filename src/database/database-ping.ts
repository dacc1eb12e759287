import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';

import type { Connection } from './connection.js';
import { dataSourceOptions } from './data-source.options.js';

/** Below it a connection that does not answer is given up, and the next ping opens another. */
const PATIENCE_MS = 1000;

/** Asks the database whether it answers, on a connection of its own: the pool may be busy. */
@Injectable()
export class DatabasePing implements OnApplicationShutdown {
  private readonly dataSource: DataSource;
  private running: Promise<void> | undefined;

  constructor(connection: Connection) {
    const limits = { answerTimeoutMillis: PATIENCE_MS, idleTimeoutMillis: 0 };
    this.dataSource = new DataSource(dataSourceOptions(connection, 1, limits));
  }

  /** Whoever asks meanwhile gets the same answer. Fails as the database does. */
  answers(): Promise<void> {
    this.running ??= this.ask().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.running?.catch(() => undefined);
    await (this.dataSource.isInitialized && this.dataSource.destroy());
  }

  private async ask(): Promise<void> {
    await (this.dataSource.isInitialized || this.dataSource.initialize());
    await this.dataSource.query('SELECT 1');
  }
}
