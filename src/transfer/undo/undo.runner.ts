import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { isTemporary } from '../../platform/database/database.errors.js';
import { undoItems } from '../../reading-list/imports/undo-items.js';
import { ListRepository } from '../../reading-list/list/list.repository.js';
import { ListTransactions } from '../../reading-list/list-transactions.js';
import { undoSavedLists } from '../../reading-list/saved-lists/undo-saved-lists.js';
import type { ImportJob } from '../entities/import-job.entity.js';
import { type ClaimedImport, ImportRepository } from '../import/import.repository.js';
import type { ImportChanges } from './import-changes.entity.js';
import {
  ImportChangesRepository,
  LeaseLostError,
  type UndoCounts,
} from './import-changes.repository.js';

/** The maximum number of successive attempts that undo no further batch. After these attempts, the undo fails. */
const MOST_ATTEMPTS = 10;
const STUCK = 'The service could not go on with the undo; its log tells why.';
const MS_PER_SECOND = 1000;

/** Undoes imports, one batch of rows per transaction. An interrupted undo continues with the remaining batches. */
@Injectable()
export class UndoRunner {
  private readonly logger = new Logger(UndoRunner.name);

  constructor(
    private readonly lists: ListTransactions,
    private readonly imports: ImportRepository,
    private readonly changes: ImportChangesRepository,
  ) {}

  /** Runs an undo until it ends, or releases it for a later attempt. Logs errors instead of throwing them. */
  async run(job: ClaimedImport, signal: AbortSignal): Promise<void> {
    if (job.attempts > MOST_ATTEMPTS) {
      await this.changes.endUndo(job, STUCK);
      return;
    }
    try {
      let isMore = true;
      while (isMore && !signal.aborted) {
        isMore = await this.lists.run(job.userId, (manager, now) => undoBatch(manager, job, now));
      }
      await (isMore ? this.imports.release(job) : this.changes.endUndo(job));
    } catch (error) {
      if (error instanceof LeaseLostError) {
        return;
      }
      this.logger.warn(error);
      await (isTemporary(error) ? this.imports.postpone(job) : this.imports.release(job));
    }
  }

  /**
   * Deletes the recorded changes of imports that can no longer be undone. Postpones the changes of a user whose server
   * is unreachable.
   */
  async sweep(): Promise<void> {
    let expired = await this.changes.expiredAfter('0');
    for (let last = expired.at(-1); last !== undefined; last = expired.at(-1)) {
      for (const job of expired) {
        await this.forgetOrWarn(job);
      }
      expired = await this.changes.expiredAfter(last.id);
    }
  }

  private async forgetOrWarn(job: ImportJob): Promise<void> {
    try {
      await this.changes.forget(job);
    } catch (error) {
      if (!isTemporary(error)) {
        throw error;
      }
      this.logger.warn(error);
    }
  }
}

/**
 * Undoes the last batch of an import that is not undone yet, in one transaction. The batches are undone from the last to
 * the first one, because an item may be in several batches. Returns false if all batches are undone.
 */
async function undoBatch(
  manager: EntityManager,
  job: ClaimedImport,
  now: number,
): Promise<boolean> {
  // Locks the list first, as each batch of the import does.
  await ListRepository.in(manager).lock(job.userId);
  const repository = ImportChangesRepository.in(manager);
  const changes = await repository.latest(job);
  if (changes === undefined) {
    return false;
  }
  const counts = await undone(manager, job, { changes, now });
  await repository.advanceUndo(job, changes, counts);
  return true;
}

async function undone(
  manager: EntityManager,
  job: ClaimedImport,
  { changes, now }: { readonly changes: ImportChanges; readonly now: number },
): Promise<UndoCounts> {
  const repository = ImportChangesRepository.in(manager);
  const laterIds = await repository.changedLater(job, changes.itemIds);
  // An earlier batch decides about these items, so they count only there.
  const before = await repository.changedBefore(changes);
  const items = await undoItems(manager, job.userId, { changes, laterIds, now });
  const marks = changes.savedLists;
  const at = new Date(now * MS_PER_SECOND);
  const countOf = (ids: readonly string[]): number => ids.filter((id) => !before.has(id)).length;
  return {
    removed: countOf(items.removed),
    restored: countOf(items.restored),
    kept: countOf(items.kept),
    lists: await undoSavedLists(manager, job.userId, { marks, now: at }),
  };
}
