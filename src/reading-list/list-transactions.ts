import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';

import { Clock } from '../common/clock.js';
import { Database } from '../database/database.js';
import { createList } from './list/list.lock.js';
import { ListTurns } from './list-turns.js';

/** In the database, the lock of the list lets one change it at a time. */
const CHANGES = { atOnce: 1, most: 64 };

const REMEMBERED = 10_000;

/** The transactions that change a list: one of each person at a time. */
@Injectable()
export class ListTransactions {
  private readonly turns = new ListTurns(CHANGES);
  private readonly begun = new LRUCache<string, true>({ max: REMEMBERED });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Hands the work the present in unix seconds, the same for everything in it. Throws ServiceBusyError. */
  run<T>(
    userId: string,
    work: (manager: EntityManager, nowSeconds: number) => Promise<T>,
  ): Promise<T> {
    return this.turns.take(userId, async () => {
      await this.begin(userId);
      return this.database.write((manager) => work(manager, this.clock.seconds()));
    });
  }

  /** Readers must see the list before anything of it is stamped (docs/decisions/0034). Throws OwnerGoneError. */
  private async begin(userId: string): Promise<void> {
    if (!this.begun.has(userId)) {
      await this.database.read((manager) => createList(manager, userId));
      this.begun.set(userId, true);
    }
  }
}
