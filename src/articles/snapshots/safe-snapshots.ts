import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import pLimit from 'p-limit';

import { runWithin, startThreads } from '../../lib/extraction/extraction-pool.js';
import { workerFile } from '../../lib/util/worker-file.js';
import { ServiceBusyError } from '../../platform/common/common.errors.js';
import { KeyedQueue } from '../../platform/jobs/keyed-queue.js';
import { SnapshotNotShownError } from './snapshot.errors.js';

const WORKER = new URL('./safe-snapshot.worker.js', import.meta.url);
const THREAD = { threads: 1, heapMb: 512 } as const;
/**
 * The time limit in milliseconds for one snapshot. The slowest accepted document of the crafted ones that were
 * tried took eight seconds (docs/decisions/0142).
 */
const LIMIT_MS = 20_000;
const MOST_WAITING = 50;
/** Each user has one snapshot in the queue of the thread, so users with many requests do not delay others. */
const QUEUE_OF_USER = { concurrency: 1, maxCalls: 6 } as const;
/** The maximum number of characters of a snapshot that is sanitized in the main thread. The slowest of six took 67 ms. */
const SHORT = 100_000;

/**
 * Sanitizes snapshots. The thread for long snapshots is not one of the threads for articles, because a crafted snapshot
 * can need several seconds.
 */
@Injectable()
export class SafeSnapshots implements OnApplicationShutdown {
  private readonly users = new KeyedQueue(QUEUE_OF_USER);
  private readonly next = pLimit({ concurrency: THREAD.threads, rejectOnClear: true });
  private pool: ReturnType<typeof startThreads<string, string>> | undefined;

  constructor(private readonly limitMs = LIMIT_MS) {}

  /**
   * Returns the document of a snapshot that is safe to show. Calls `load` only when the snapshot is the next one, so that
   * queued snapshots need no memory.
   * @throws ServiceBusyError if too many snapshots are queued
   * @throws SnapshotNotShownError
   */
  show(userId: string, load: () => Promise<string>): Promise<string> {
    return this.users.run(userId, () => {
      if (this.next.pendingCount >= MOST_WAITING) {
        throw new ServiceBusyError();
      }
      return this.next(async () => this.sanitized(await load()));
    });
  }

  async onApplicationShutdown(): Promise<void> {
    this.next.clearQueue();
    await this.pool?.destroy();
  }

  private async sanitized(html: string): Promise<string> {
    try {
      if (html.length > SHORT) {
        return await this.sanitizedInThread(html);
      }
      // Loads the sanitizer only when the first snapshot needs it.
      const { safeSnapshot } = await import('./safe-snapshot.js');
      return safeSnapshot(html);
    } catch {
      throw new SnapshotNotShownError();
    }
  }

  private sanitizedInThread(html: string): Promise<string> {
    this.pool ??= startThreads<string, string>(THREAD, workerFile(WORKER));
    return runWithin(this.pool, html, { ms: this.limitMs, bytes: undefined, signal: undefined });
  }
}
