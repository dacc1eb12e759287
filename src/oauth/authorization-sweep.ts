import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';

import { Database } from '../database/database.js';
import { AuthorizationRequestStore } from './authorization-request.store.js';

const EVERY_MS = 60 * 60 * 1000;

/** Forgets the requests of applications a day after their codes have expired. */
@Injectable()
export class AuthorizationSweep implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(AuthorizationSweep.name);
  private sweeping: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database) {}

  sweep(): Promise<void> {
    return this.database.read((manager) => new AuthorizationRequestStore(manager).sweep());
  }

  onModuleInit(): void {
    const warn = (error: unknown): void => {
      this.logger.warn(error);
    };
    const sweep = (): void => void this.sweep().catch(warn);
    this.sweeping = setInterval(sweep, EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.sweeping);
  }
}
