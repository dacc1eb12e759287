import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Clock } from '../common/clock.js';
import { Database } from '../database/database.js';
import { ListTurns } from './list-turns.js';

/** In the database, the lock of the list lets one change it at a time. */
const CHANGES = { atOnce: 1, most: 64 };

/** The transactions that change a list: one of each person at a time. */
@Injectable()
export class ListTransactions {
  private readonly turns = new ListTurns(CHANGES);

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
