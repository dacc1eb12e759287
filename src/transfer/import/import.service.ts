import { Injectable } from '@nestjs/common';

import { Config } from '../../platform/config/config.js';
import type { ImportJob, ImportState } from '../entities/import-job.entity.js';
import { FileTooLargeError, ImportNotFoundError, UploadGoneError } from '../transfer.errors.js';
import { ImportRepository, type NewImport } from './import.repository.js';

const MIB = 1024 * 1024;
/** The maximum number of imports in the list of a user's latest imports. */
const LATEST = 10;
/**
 * The size in bytes of the parts in which an uploaded file is stored. Larger parts would need more memory during
 * uploads, and smaller parts would need too many rows.
 */
const CHUNK_BYTES = 256 * 1024;

/** Starts, finds and cancels the imports of a user. */
@Injectable()
export class ImportService {
  constructor(
    private readonly imports: ImportRepository,
    private readonly config: Config,
  ) {}

  /**
   * Stores an uploaded file and returns the id of its import, which runs in the background. Deletes the import if the
   * upload is incomplete.
   * @throws ImportUnfinishedError, FileTooLargeError, UploadGoneError
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

  /**
   * Finds an import of the user.
   * @throws ImportNotFoundError if no import has the id, or if the import belongs to another user
   */
  async find(userId: string, id: string): Promise<ImportJob> {
    const job = await this.imports.findOneBy({ userId, id });
    if (job === null) {
      throw new ImportNotFoundError();
    }
    return job;
  }

  /**
   * Returns the id of the user's unfinished import.
   *
   * @throws ImportNotFoundError if all imports have ended
   */
  async unfinished(userId: string): Promise<string> {
    const job = (await this.latest(userId)).find(({ finishedAt }) => finishedAt === null);
    if (job === undefined) {
      throw new ImportNotFoundError('There is no unfinished import.');
    }
    return job.id;
  }

  /** Returns the number of imports in each state, for all users together. */
  counts(): Promise<ReadonlyMap<ImportState, number>> {
    return this.imports.counts();
  }

  /** Returns the latest imports of a user, newest first. */
  latest(userId: string): Promise<ImportJob[]> {
    return this.imports.latest(userId, LATEST);
  }

  /**
   * Cancels an import. Items that are already imported stay in the list, and further rows are not imported.
   *
   * @throws ImportNotFoundError if the user has no import with this id
   */
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

/** Splits the bytes of a file into parts of CHUNK_BYTES bytes. The last part may be smaller. */
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
