import { Injectable } from '@nestjs/common';

import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { chunksOf } from './file-chunks.js';
import { ImportStore, type NewImport } from './import.store.js';
import type { ImportJob } from './import-job.js';
import { FileTooLargeError, ImportNotFoundError, UploadGoneError } from './transfer.errors.js';

const MIB = 1024 * 1024;
/** As many as a person looks at. */
const LATEST = 10;

/** The imports of a person. */
@Injectable()
export class ImportService {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /**
   * Keeps the file, whose import then goes on by itself. Gives the id of the import. Throws ImportUnfinishedError,
   * FileTooLargeError, UploadGoneError; a file that does not come whole leaves nothing.
   */
  async start(wanted: NewImport, file: AsyncIterable<Buffer>): Promise<string> {
    const id = await this.ask((store) => store.begin(wanted));
    try {
      await this.keep(id, file);
      await this.orGone((store) => store.ready(id));
    } catch (error) {
      await this.ask((store) => store.discard(id));
      throw error;
    }
    return id;
  }

  /** Throws ImportNotFoundError, also for imports of others. */
  async find(userId: string, id: string): Promise<ImportJob> {
    const job = await this.ask((store) => store.find(userId, id));
    if (job === undefined) {
      throw new ImportNotFoundError();
    }
    return job;
  }

  /** The id of the one that has not ended. Throws ImportNotFoundError. */
  async unfinished(userId: string): Promise<string> {
    const job = (await this.latest(userId)).find(({ finishedAt }) => finishedAt === undefined);
    if (job === undefined) {
      throw new ImportNotFoundError('There is no unfinished import.');
    }
    return job.id;
  }

  /** The latest first. */
  latest(userId: string): Promise<ImportJob[]> {
    return this.ask((store) => store.latest(userId, LATEST));
  }

  /** What is imported stays, the rest is not. Throws ImportNotFoundError. */
  async cancel(userId: string, id: string): Promise<ImportJob> {
    await this.ask((store) => store.cancel(userId, id));
    return this.find(userId, id);
  }

  private ask<T>(question: (store: ImportStore) => Promise<T>): Promise<T> {
    return this.database.read((manager) => question(new ImportStore(manager)));
  }

  private async keep(id: string, file: AsyncIterable<Buffer>): Promise<void> {
    let place = 0;
    let size = 0;
    for await (const bytes of chunksOf(file)) {
      size += bytes.length;
      if (size > this.config.importMegabytes * MIB) {
        throw new FileTooLargeError(this.config.importMegabytes);
      }
      await this.orGone((store) => store.keep(id, place, bytes));
      place += 1;
    }
  }

  private async orGone(question: (store: ImportStore) => Promise<boolean>): Promise<void> {
    if (!(await this.ask(question))) {
      throw new UploadGoneError();
    }
  }
}
