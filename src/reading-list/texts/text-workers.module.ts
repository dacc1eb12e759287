import { setTimeout as pause } from 'node:timers/promises';

import {
  type BeforeApplicationShutdown,
  Injectable,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';

import { BackgroundWork } from '../../platform/jobs/background-work.js';
import type { WorkLoops } from '../../platform/jobs/work-loops.js';
import { ReadingListModule } from '../reading-list.module.js';
import { TextIndexer } from './text-indexer.js';

/**
 * The pauses of the indexing loop in milliseconds while the queue is empty. The first pause is LOOK_SOON_MS, because
 * more items often follow soon. The next pauses become longer, up to LOOK_EVERY_MS.
 */
const LOOK_EVERY_MS = 1000;
const LOOK_SOON_MS = 50;
/**
 * The pause after indexing, as a multiple of the time that indexing took. An import queues items faster than they can
 * be indexed. Without pauses, indexing would run during the whole import and slow it down.
 */
const REST = 2;
/** The longest pause in milliseconds. Indexing that waited for an unreachable server must not stop the loop for minutes. */
const LONGEST_REST_MS = 2000;

/** Returns the pause in milliseconds after indexing that took `tookMs`. */
export const restAfter = (tookMs: number): number => Math.min(REST * tookMs, LONGEST_REST_MS);

/** Runs the indexing loop until the service stops. */
@Injectable()
class TextWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loops: WorkLoops;

  constructor(
    work: BackgroundWork,
    private readonly indexer: TextIndexer,
  ) {
    this.loops = work.add(TextWorker.name);
  }

  onApplicationBootstrap(): void {
    this.loops.start(() => this.writeSome(), { everyMs: LOOK_EVERY_MS, soonMs: LOOK_SOON_MS });
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
      const rest = restAfter(performance.now() - begin);
      await pause(rest, undefined, { signal, ref: false }).catch(() => undefined);
    }
    return hasWritten;
  }
}

/** Starts the indexing loop. The command line does not import this module, so commands do not index items. */
@Module({ imports: [ReadingListModule], providers: [TextWorker] })
export class TextWorkersModule {}
