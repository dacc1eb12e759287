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

/** The pause after a look that found nothing; soon after some words there are often others. */
const LOOK_EVERY_MS = 1000;
const LOOK_SOON_MS = 50;
/** How much longer than it works the loop rests: an import, which brings more than it writes, goes on beside it. */
const REST = 2;

/** Writes the words of what was saved and read, as long as the service runs. */
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

/** The loop that writes words; the command line leaves it out. */
@Module({ imports: [ReadingListModule], providers: [TextWorker] })
export class TextWorkersModule {}
