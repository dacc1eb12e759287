import { Injectable } from '@nestjs/common';

import { SafeSnapshots } from '../../../articles/snapshots/safe-snapshots.js';
import { SnapshotNotShownError } from '../../../articles/snapshots/snapshot.errors.js';
import { contentEntry, type ZipEntry } from '../../../lib/util/zipped.js';
import { patiently } from '../../../platform/jobs/patiently.js';
import { SnapshotNotFoundError } from '../../../reading-list/snapshots/snapshot.errors.js';
import { Snapshots } from '../../../reading-list/snapshots/snapshots.service.js';
import type { SnapshotFile } from './archive-pages.js';
import type { ArchiveParts } from './archive-parts.js';

/**
 * Writes the snapshots of items as files of an archive. They are sanitized one after the other, like those that the user
 * downloads, so an archive never has more than one snapshot in the queue of the sanitizer.
 */
@Injectable()
export class ArchivedSnapshots {
  constructor(
    private readonly snapshots: Snapshots,
    private readonly safeSnapshots: SafeSnapshots,
  ) {}

  /** Returns the ids of the items in the user's list that have snapshots. */
  itemIds(userId: string): Promise<ReadonlySet<string>> {
    return this.snapshots.itemIds(userId);
  }

  /** Yields the files of an item's snapshots. Returns their paths and dates, the latest first. */
  async *files(
    itemId: string,
    parts: ArchiveParts,
  ): AsyncGenerator<ZipEntry, readonly SnapshotFile[]> {
    const files: SnapshotFile[] = [];
    const heads = parts.withSnapshots.has(itemId)
      ? await this.snapshots.ofItem(parts.userId, itemId)
      : [];
    for (const { snapshotId, createdAt } of heads) {
      const html = await this.safeHtmlOf(snapshotId, parts);
      if (html !== undefined) {
        const path = pathOf(itemId, createdAt, files);
        files.push({ path, createdAt });
        yield contentEntry(path, html);
      }
    }
    return files;
  }

  /** Returns undefined if the snapshot was deleted, or if it cannot be sanitized. */
  private async safeHtmlOf(
    snapshotId: string,
    { userId, signal, missing }: ArchiveParts,
  ): Promise<string | undefined> {
    const load = (): Promise<string> => this.snapshots.htmlOf(userId, snapshotId);
    try {
      const html = await patiently(() => this.safeSnapshots.show(userId, load), signal);
      missing.snapshots += html === undefined ? 1 : 0;
      return html;
    } catch (error) {
      if (error instanceof SnapshotNotShownError) {
        missing.snapshots += 1;
      } else if (!(error instanceof SnapshotNotFoundError)) {
        throw error;
      }
      return undefined;
    }
  }
}

/** Returns the path of a snapshot. A further snapshot of the same day has a number. */
function pathOf(itemId: string, createdAt: Date, earlier: readonly SnapshotFile[]): string {
  const start = `snapshots/${itemId}-${createdAt.toISOString().slice(0, 'YYYY-MM-DD'.length)}`;
  const number = 1 + earlier.filter(({ path }) => path.startsWith(start)).length;
  return `${start}${number === 1 ? '' : `-${number}`}.html`;
}
