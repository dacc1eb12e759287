import { setTimeout as pause } from 'node:timers/promises';

import {
  type BeforeApplicationShutdown,
  Injectable,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';

import { WorkLoops } from '../../platform/jobs/work-loops.js';
import { ReadingListModule } from '../reading-list.module.js';
import { TextIndexer } from './text-indexer.js';

/**
 * The pauses of the indexing loop while no items are queued. LOOK_SOON_MS applies soon after work, because more items
 * often follow.
 */
const LOOK_EVERY_MS = 1000;
const LOOK_SOON_MS = 50;
/**
 * The pause after indexing, as a multiple of the time that indexing took. The pauses leave time for an import, which
 * queues items faster than they are indexed.
 */
const REST = 2;

/** Indexes the words of saved and fetched items, until the service stops. */
@Injectable()
class TextWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loops = new WorkLoops(TextWorker.name);

  constructor(private readonly indexer: TextIndexer) {}

  onApplicationBootstrap(): void {
    this.loops.start(() => this.writeSome(), LOOK_EVERY_MS, LOOK_SOON_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.loops.stop();
    await this.loops.ended();
  }

  private async writeSome(): Promise<boolean> {
    const { signal } = this.loops;
    const begin = performance.now();
    const hasWritten = await this.indexer.writeNext();
    if (hasWritten) {
      const rest = REST * (performance.now() - begin);
      await pause(rest, undefined, { signal, ref: false }).catch(() => undefined);
    }
    return hasWritten;
  }
}

/** Starts the indexing loop in a worker. The command line does not import this module, so it indexes nothing. */
@Module({ imports: [ReadingListModule], providers: [TextWorker] })
export class TextWorkersModule {}
