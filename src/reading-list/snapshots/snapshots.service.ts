import { randomUUID } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { compressedText, decompressedText } from '../../lib/util/compressed-text.js';
import { exceededLimit, MOST_LEVELS } from '../../lib/util/markup-limits.js';
import { fieldProblem, ValidationFailedError } from '../../platform/common/common.errors.js';
import { Config } from '../../platform/config/config.js';
import { Item } from '../entities/item.entity.js';
import { ItemRepository } from '../list/item.repository.js';
import { ListRepository } from '../list/list.repository.js';
import type { ItemReference } from '../list/list-state.js';
import { ListTransactions } from '../list-transactions.js';
import { ItemNotFoundError } from '../reading-list.errors.js';
import { StorageRoom } from '../storage/storage-room.js';
import { SNAPSHOT_BYTES } from '../storage/stored-size.js';
import {
  SnapshotNotFoundError,
  SnapshotTooComplexError,
  SnapshotTooLargeError,
} from './snapshot.errors.js';
import { type SnapshotHead, type SnapshotPage, SnapshotRepository } from './snapshot.repository.js';

/** The maximum number of snapshots of one item. A further snapshot replaces the oldest one. */
export const MOST_SNAPSHOTS = 5;

interface NewSnapshot {
  readonly userId: string;
  readonly itemId: string;
  /** The compressed HTML. */
  readonly html: Buffer;
}

/** Stores, lists and deletes snapshots of pages (docs/decisions/0142). */
@Injectable()
export class Snapshots {
  constructor(
    private readonly snapshots: SnapshotRepository,
    private readonly items: ItemRepository,
    private readonly lists: ListTransactions,
    private readonly config: Config,
  ) {}

  /**
   * Stores a snapshot of an item. The HTML is stored as it is, so it must be sanitized before it is shown.
   * @throws SnapshotTooLargeError
   * @throws SnapshotTooComplexError
   * @throws ValidationFailedError if the elements are nested too deep
   * @throws ItemNotFoundError
   * @throws StorageFullError
   * @throws ServiceBusyError
   */
  async add(userId: string, reference: ItemReference, html: string): Promise<SnapshotHead> {
    const { snapshotLimitBytes: limit } = this.config;
    if (Buffer.byteLength(html) > limit) {
      throw new SnapshotTooLargeError(limit);
    }
    const itemId = await this.itemIdOf(userId, reference);
    await requireSimple(html);
    const snapshot = { userId, itemId, html: await compressedText(html) };
    return this.lists.run(userId, (manager) => this.write(manager, snapshot));
  }

  ofItem(userId: string, itemId: string): Promise<SnapshotHead[]> {
    return this.snapshots.ofItem(userId, itemId);
  }

  latest(userId: string, page: SnapshotPage): Promise<SnapshotHead[]> {
    return this.snapshots.latest(userId, page);
  }

  /** Returns the number of snapshots of the items in the list. */
  count(userId: string): Promise<number> {
    return this.snapshots.countOf(userId);
  }

  /** Returns the ids of the items in the list that have snapshots. */
  itemIds(userId: string): Promise<ReadonlySet<string>> {
    return this.snapshots.itemIdsOf(userId);
  }

  /** @throws SnapshotNotFoundError */
  async head(userId: string, snapshotId: string): Promise<SnapshotHead> {
    const head = await this.snapshots.head(userId, snapshotId);
    if (head === undefined) {
      throw new SnapshotNotFoundError();
    }
    return head;
  }

  /**
   * Returns the HTML of a snapshot, which is not sanitized.
   * @throws SnapshotNotFoundError
   */
  async htmlOf(userId: string, snapshotId: string): Promise<string> {
    const html = await this.snapshots.htmlOf(userId, snapshotId);
    if (html === undefined) {
      throw new SnapshotNotFoundError();
    }
    return decompressedText(html);
  }

  /** Deletes a snapshot. Deleting a missing snapshot is a no-op. */
  delete(userId: string, snapshotId: string): Promise<void> {
    return this.lists.run(userId, async (manager) => {
      const lists = ListRepository.in(manager);
      await lists.lock(userId);
      const snapshots = SnapshotRepository.in(manager);
      const head = await snapshots.head(userId, snapshotId);
      if (head !== undefined) {
        await snapshots.delete({ userId, snapshotId });
        await lists.moveStorage(userId, { storedBytes: -head.bytes, mayStoreLess: false });
      }
    });
  }

  /** @throws ItemNotFoundError */
  private async itemIdOf(userId: string, reference: ItemReference): Promise<string> {
    const itemId =
      'address' in reference
        ? (await this.items.rowAt(userId, reference.address))?.item_id
        : reference.itemId;
    if (itemId === undefined) {
      throw new ItemNotFoundError();
    }
    return itemId;
  }

  private async write(
    manager: EntityManager,
    { userId, itemId, html }: NewSnapshot,
  ): Promise<SnapshotHead> {
    const lists = ListRepository.in(manager);
    const list = await lists.lock(userId);
    if (!(await manager.existsBy(Item, { userId, itemId }))) {
      throw new ItemNotFoundError();
    }
    const snapshots = SnapshotRepository.in(manager);
    const stored = await snapshots.ofItem(userId, itemId);
    // A merge of duplicates can give an item more snapshots than the maximum. They all stay but the replaced one.
    const oldest = stored.length < MOST_SNAPSHOTS ? undefined : stored.at(-1);
    const bytes = SNAPSHOT_BYTES + html.length;
    const grown = bytes - (oldest?.bytes ?? 0);
    requireRoom(StorageRoom.in(list, this.config.storageLimitBytes), grown);
    if (oldest !== undefined) {
      await snapshots.delete({ userId, snapshotId: oldest.snapshotId });
    }
    const snapshotId = randomUUID();
    await snapshots.insert({ userId, snapshotId, itemId, html, bytes });
    await lists.moveStorage(userId, { storedBytes: grown, mayStoreLess: false });
    const head = await snapshots.head(userId, snapshotId);
    if (head === undefined) {
      throw new Error('a snapshot that was just stored is missing');
    }
    return head;
  }
}

/**
 * @throws SnapshotTooComplexError
 * @throws ValidationFailedError
 */
async function requireSimple(html: string): Promise<void> {
  const limit = await exceededLimit(html);
  if (limit === 'marks') {
    throw new SnapshotTooComplexError();
  }
  if (limit === 'levels') {
    const reason = `must not nest its elements more than ${MOST_LEVELS} levels deep`;
    throw new ValidationFailedError([fieldProblem('html', reason)]);
  }
}

/**
 * @throws StorageFullError
 * @throws StorageUnmeasuredError if the size of the list must be measured first
 */
function requireRoom(room: StorageRoom, bytes: number): void {
  const refusal = room.refusalOf(bytes);
  room.requireMeasured();
  if (refusal?.ok === false) {
    throw refusal.refusal.error;
  }
}
