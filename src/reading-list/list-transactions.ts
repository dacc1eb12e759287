import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Clock } from '../common/clock.js';
import { Database } from '../database/database.js';
import { ListTurns } from './list-turns.js';

/** The transactions that change a list: one of each person at a time. */
@Injectable()
export class ListTransactions {
  private readonly turns = new ListTurns();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Hands the work the present in unix seconds, the same for everything in it. Throws ServiceBusyError. */
  run<T>(
    userId: string,
    work: (manager: EntityManager, nowSeconds: number) => Promise<T>,
  ): Promise<T> {
    return this.turns.take(userId, () =>
      this.database.write((manager) => work(manager, this.clock.seconds())),
    );
  }
}
