import { MoreThan, Raw } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { violates } from '../../platform/database/database.errors.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { itemsWithOwnPages } from '../../reading-list/pages/page-requests.js';
import {
  type SavedListMark,
  unchangedLists,
} from '../../reading-list/saved-lists/undo-saved-lists.js';
import { ImportJob } from '../entities/import-job.entity.js';
import { type ClaimedImport, ImportRepository } from '../import/import.repository.js';
import { ImportUnfinishedError } from '../transfer.errors.js';
import { ImportChanges } from './import-changes.entity.js';
import {
  ADVANCE_UNDO,
  CHANGED_BEFORE,
  CHANGED_LATER,
  DELETE_CHANGES,
  INSERT_CHANGES,
} from './import-changes.sql.js';
import { PREVIEW } from './undo-preview.sql.js';

const MS_PER_SECOND = 1000;
const NO_ITEMS = { removed: 0, restored: 0, kept: 0 };
const FORGOTTEN_AT_ONCE = 50;
const IMPORTS_AT_ONCE = 100;

/** Thrown if another process has the lease of the import, or if the import is cancelled. */
export class LeaseLostError extends Error {}

type BatchChanges = Omit<ImportChanges, 'userId' | 'importId' | 'list'>;
/** The changes of a batch of rows. */
export type NewChanges = { readonly [K in keyof BatchChanges]: Readonly<BatchChanges[K]> };

type ImportKey = Pick<ImportJob, 'id' | 'userId'>;

/** The number of items and saved lists for each result of an undo. */
export interface UndoCounts {
  /** Items that the undo has removed. */
  readonly removed: number;
  /** Items with their earlier values. */
  readonly restored: number;
  /** Items that have stayed, because they were changed or read after the import. */
  readonly kept: number;
  /** Saved lists that the undo has deleted. */
  readonly lists: number;
}

/** Stores the changes of imports, and the states of their undos (docs/decisions/0137). */
export class ImportChangesRepository extends CustomRepository<ImportChanges> {
  static readonly entity = ImportChanges;

  /** Records the changes of a batch of rows, in the transaction of the batch. */
  async record({ id, userId, keepsChanges }: ImportJob, changes: NewChanges): Promise<void> {
    const { lastRow, itemIds, fingerprints, earlier, restoredIds, savedLists } = changes;
    if (keepsChanges && itemIds.length + savedLists.length > 0) {
      const [first, last] = [JSON.stringify(earlier), JSON.stringify(savedLists)];
      const values = [userId, id, lastRow, itemIds, fingerprints, first, restoredIds, last];
      await queryRows(this.manager, INSERT_CHANGES, values);
    }
  }

  /** Returns the changes of the last recorded batch of an import. */
  async latest({ id, userId }: ImportKey): Promise<ImportChanges | undefined> {
    const where = { userId, importId: id };
    return (await this.findOne({ where, order: { lastRow: 'DESC' } })) ?? undefined;
  }

  /**
   * Returns the counts that an undo of the import would have now. In rare cases, the undo keeps more items: if the times
   * in the file are in the future.
   */
  async preview({ id, userId, createdAt }: ImportJob): Promise<UndoCounts> {
    const ownPages = await itemsWithOwnPages(this.manager, userId);
    const values = [userId, id, Math.floor(createdAt.getTime() / MS_PER_SECOND), ownPages];
    const [items] = await queryRows<Omit<UndoCounts, 'lists'>>(this.manager, PREVIEW, values);
    const lists = await unchangedLists(this.manager, userId, await this.savedLists(id, userId));
    return { ...NO_ITEMS, ...items, lists: lists.length };
  }

  private async savedLists(importId: string, userId: string): Promise<SavedListMark[]> {
    const where = { userId, importId, savedLists: Raw((column) => `${column} <> '[]'`) };
    const select = { userId: true, importId: true, lastRow: true, savedLists: true } as const;
    const batches = await this.find({ select, where });
    return batches.flatMap(({ savedLists }) => savedLists);
  }

  /** Returns those of the items that later imports have changed. */
  async changedLater(
    { id, userId }: ImportKey,
    itemIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    return this.itemIdsOf(CHANGED_LATER, [userId, id, itemIds]);
  }

  /** Returns those of the items that also an earlier batch of the same import has changed. */
  async changedBefore({
    userId,
    importId,
    lastRow,
    earlier,
  }: ImportChanges): Promise<ReadonlySet<string>> {
    const changed = Object.keys(earlier);
    // Only a changed item can be in an earlier batch.
    return changed.length === 0
      ? new Set()
      : this.itemIdsOf(CHANGED_BEFORE, [userId, importId, changed, lastRow]);
  }

  private async itemIdsOf(text: string, values: readonly unknown[]): Promise<ReadonlySet<string>> {
    const rows = await queryRows<{ itemId: string }>(this.manager, text, values);
    return new Set(rows.map(({ itemId }) => itemId));
  }

  /**
   * Begins the undo of an ended import. Returns undefined if the import cannot be undone.
   * @throws ImportUnfinishedError if another import of the user is unfinished, or is being undone
   */
  async beginUndo({ id, userId }: ImportKey): Promise<ImportJob | undefined> {
    const isFuture = Raw((column) => `${column} > now()`);
    const where = { id, userId, finishedAt: MoreThan(new Date(0)), undoUntil: isFuture };
    const ended = { state: 'undoing', finishedAt: null, failure: null } as const;
    const claim = { lease: null, leasedUntil: null, attempts: 0 };
    await ImportRepository.in(this.manager).discardAbandoned(userId);
    try {
      const { affected } = await this.manager.update(ImportJob, where, { ...ended, ...claim });
      return affected === 1
        ? ((await this.manager.findOneBy(ImportJob, { id, userId })) ?? undefined)
        : undefined;
    } catch (error) {
      throw violates(error, 'imports_unfinished_idx') ? new ImportUnfinishedError() : error;
    }
  }

  /**
   * Deletes the changes of a batch that was undone, and adds its counts to the import.
   * @throws LeaseLostError if this process no longer has the lease of the import
   */
  async advanceUndo(
    { id, lease }: ClaimedImport,
    { userId, importId, lastRow }: ImportChanges,
    { removed, restored, kept, lists }: UndoCounts,
  ): Promise<void> {
    await this.delete({ userId, importId, lastRow });
    const values = [lease, id, removed, restored, kept, lists];
    if ((await queryRows(this.manager, ADVANCE_UNDO, values)).length === 0) {
      throw new LeaseLostError();
    }
  }

  /** Ends an undo. After a failure, the user can start the undo again. */
  async endUndo({ id, lease }: ClaimedImport, failure?: string): Promise<void> {
    const ended = { finishedAt: () => 'now()', lease: null, leasedUntil: null };
    await this.manager.update(
      ImportJob,
      { id, lease },
      failure === undefined
        ? { ...ended, state: 'undone', undoUntil: null }
        : { ...ended, state: 'failed', failure },
    );
  }

  /** Returns the next imports after `id` with recorded changes that can no longer be undone. */
  expiredAfter(id: string): Promise<ImportJob[]> {
    const undoUntil = Raw((column) => `${column} < now()`);
    return this.manager.find(ImportJob, {
      where: { id: MoreThan(id), undoUntil, finishedAt: MoreThan(new Date(0)) },
      order: { id: 'ASC' },
      take: IMPORTS_AT_ONCE,
    });
  }

  /** Deletes the recorded changes of an import in small batches. */
  async forget({ id, userId }: ImportKey): Promise<void> {
    let deleted: number;
    do {
      const values = [userId, id, FORGOTTEN_AT_ONCE];
      deleted = (await queryRows(this.manager, DELETE_CHANGES, values)).length;
    } while (deleted === FORGOTTEN_AT_ONCE);
    await this.manager.update(ImportJob, { id, userId }, { undoUntil: null });
  }
}
