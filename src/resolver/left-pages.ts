import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';

import { WorkLoops } from '../common/work-loops.js';
import { Config } from '../config/config.js';
import { OwnPages } from './own-pages.js';

const LOOK_EVERY_MS = 5000;

/** Parses what clients had sent to processes that ended too early. */
@Injectable()
export class LeftPages implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loops = new WorkLoops(LeftPages.name);

  constructor(
    private readonly ownPages: OwnPages,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.resolverConcurrency > 0) {
      this.loops.start(() => this.ownPages.keepNext(), LOOK_EVERY_MS);
    }
  }

  /** Nobody waits for the one that is being parsed: it is left again. */
  onModuleDestroy(): void {
    this.loops.stop();
  }
}
