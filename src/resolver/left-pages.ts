import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';

import { Config } from '../config/config.js';
import { OwnPages } from './own-pages.js';

const EVERY_MS = 5000;

/** Parses what clients had sent to processes that ended too early. */
@Injectable()
export class LeftPages implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(LeftPages.name);
  private looking: NodeJS.Timeout | undefined;
  private isBusy = false;

  constructor(
    private readonly ownPages: OwnPages,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    if (this.config.resolverConcurrency > 0) {
      this.looking = setInterval(() => void this.look(), EVERY_MS).unref();
    }
  }

  onModuleDestroy(): void {
    clearInterval(this.looking);
  }

  private async look(): Promise<void> {
    if (this.isBusy) {
      return;
    }
    this.isBusy = true;
    try {
      while (await this.ownPages.keepNext()) {}
    } catch (error) {
      this.logger.warn(error);
    } finally {
      this.isBusy = false;
    }
  }
}
