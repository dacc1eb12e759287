import { Injectable } from '@nestjs/common';

import { Config } from '../../platform/config/config.js';
import type { ImportJob, ImportState } from '../entities/import-job.entity.js';
import { FileTooLargeError, ImportNotFoundError, UploadGoneError } from '../transfer.errors.js';
import { ImportRepository, type NewImport } from './import.repository.js';

const MIB = 1024 * 1024;
/** As many as a user looks at. */
const LATEST = 10;
/** A row of `import_chunks`: large enough that there are few, small enough to be held by many uploads at once. */
const CHUNK_BYTES = 256 * 1024;

/** The imports of a user. */
@Injectable()
export class ImportService {
  constructor(
    private readonly imports: ImportRepository,
    private readonly config: Config,
  ) {}

  /**
   * Stores the file, which is imported in the background. Gives the id of the import. Throws ImportUnfinishedError,
   * FileTooLargeError, UploadGoneError; a file that does not come whole leaves nothing.
   */
  async start(wanted: NewImport, file: AsyncIterable<Buffer>): Promise<string> {
    const id = await this.imports.begin(wanted);
    try {
      await this.keep(id, file);
      refuseGone(await this.imports.ready(id));
    } catch (error) {
      await this.imports.discard(id);
      throw error;
    }
    return id;
  }

  /** Throws ImportNotFoundError, also for imports of others. */
  async find(userId: string, id: string): Promise<ImportJob> {
    const job = await this.imports.findOneBy({ userId, id });
    if (job === null) {
      throw new ImportNotFoundError();
    }
    return job;
  }

  /** The id of the one that has not ended. Throws ImportNotFoundError. */
  async unfinished(userId: string): Promise<string> {
    const job = (await this.latest(userId)).find(({ finishedAt }) => finishedAt === null);
    if (job === undefined) {
      throw new ImportNotFoundError('There is no unfinished import.');
    }
    return job.id;
  }

  /** How many imports are in which state, of all users. */
  counts(): Promise<ReadonlyMap<ImportState, number>> {
    return this.imports.counts();
  }

  /** The latest first. */
  latest(userId: string): Promise<ImportJob[]> {
    return this.imports.latest(userId, LATEST);
  }

  /** What is imported stays, the rest is not. Throws ImportNotFoundError. */
  async cancel(userId: string, id: string): Promise<ImportJob> {
    await this.imports.cancel(userId, id);
    return this.find(userId, id);
  }

  private async keep(id: string, file: AsyncIterable<Buffer>): Promise<void> {
    let place = 0;
    let size = 0;
    for await (const bytes of chunksOf(file)) {
      size += bytes.length;
      if (size > this.config.importMegabytes * MIB) {
        throw new FileTooLargeError(this.config.importMegabytes);
      }
      refuseGone(await this.imports.keepChunk(id, place, bytes));
      place += 1;
    }
  }
}

function refuseGone(isThere: boolean): void {
  if (!isThere) {
    throw new UploadGoneError();
  }
}

/** The same bytes in pieces of one size, the last one smaller. */
async function* chunksOf(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const bytes of file) {
    waiting.push(bytes);
    size += bytes.length;
    if (size >= CHUNK_BYTES) {
      const whole = Buffer.concat(waiting);
      for (let at = 0; at + CHUNK_BYTES <= whole.length; at += CHUNK_BYTES) {
        yield whole.subarray(at, at + CHUNK_BYTES);
      }
      const rest = whole.subarray(whole.length - (whole.length % CHUNK_BYTES));
      waiting = [rest];
      size = rest.length;
    }
  }
  if (size > 0) {
    yield Buffer.concat(waiting);
  }
}
