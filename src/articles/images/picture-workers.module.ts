import {
  type BeforeApplicationShutdown,
  Injectable,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';

import { Config } from '../../platform/config/config.js';
import { provideRepository } from '../../platform/database/custom-repository.js';
import { BackgroundWork } from '../../platform/jobs/background-work.js';
import type { WorkLoops } from '../../platform/jobs/work-loops.js';
import { ReadingListModule } from '../../reading-list/reading-list.module.js';
import { ArticlesModule } from '../articles.module.js';
import { PictureFollower } from './picture-follower.service.js';
import { PictureKeeper } from './picture-keeper.service.js';
import { PictureShareRepository } from './picture-share.repository.js';

/**
 * The number of pictures that are fetched at the same time. The limits of `ImagesService` leave as many for people who
 * are reading.
 */
const AT_ONCE = 3;
/** The pause in milliseconds after no work was found. */
const LOOK_EVERY_MS = 5000;
/** The shorter pause of the first loop that fetches. In a quiet process, the loop rests until pictures were listed. */
const KEEP_EVERY_MS = 1000;
const REST_OF_OTHERS_MS = 60_000;
const SWEEP_EVERY_MS = 10 * 60_000;

/** Fetches the pictures of stored articles, and deletes pictures that no article has any more. */
@Injectable()
class PictureWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly fetches: WorkLoops;
  private readonly sweeps: WorkLoops;

  constructor(
    work: BackgroundWork,
    private readonly config: Config,
    private readonly keeper: PictureKeeper,
  ) {
    this.fetches = work.add(PictureKeeper.name);
    this.sweeps = work.add(`${PictureKeeper.name}.sweep`);
  }

  onApplicationBootstrap(): void {
    if (this.config.resolverConcurrency === 0) {
      return;
    }
    this.sweeps.start(() => this.sweep(), { everyMs: SWEEP_EVERY_MS });
    if (this.config.keepsPictures) {
      // A separate loop, so that the listing of many articles does not wait for slow fetches.
      this.fetches.start(() => this.keeper.listNext(), { everyMs: LOOK_EVERY_MS });
      const first = { everyMs: KEEP_EVERY_MS, restMs: LOOK_EVERY_MS };
      this.fetches.start(() => this.keeper.keepNext(this.fetches.signal), first);
      for (let other = 1; other < AT_ONCE; other += 1) {
        // In a quiet process, one loop looks for pictures. The others continue when it has found one.
        const timing = { everyMs: LOOK_EVERY_MS, restMs: REST_OF_OTHERS_MS };
        this.fetches.start(() => this.keeper.keepNext(this.fetches.signal), timing);
      }
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.fetches.stop();
    this.sweeps.stop();
    await Promise.all([this.fetches.ended(), this.sweeps.ended()]);
  }

  private async sweep(): Promise<false> {
    await this.keeper.sweep(this.sweeps.signal);
    return false;
  }
}

/** The storage of pictures. Only the process that does the background work imports this module. */
@Module({
  imports: [ArticlesModule, ReadingListModule],
  providers: [
    provideRepository(PictureShareRepository),
    PictureFollower,
    PictureKeeper,
    PictureWorkers,
  ],
})
export class PictureWorkersModule {}
