import { randomUUID } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Database } from '../database/database.js';
import { run } from '../database/statements.js';
import type { PageClaim } from './page.claim.js';
import {
  claimed,
  claimOf,
  type ClaimRow,
  NEXT,
  RELEASE,
  RENEW,
  SERIALISE,
  WAITED_FOR,
  WAITING,
  type WaitingRow,
} from './resolution.statements.js';

/** Whose item waits for its page. */
export interface Waiting {
  readonly userId: string;
  readonly itemId: string;
}

/**
 * `gone`: nobody waits any more; `ready`: read already; `busy`: somebody reads it, or as many others of its host as
 * are read at once; `later`: its host, or an earlier failure, makes it wait.
 */
export type WaitingState = 'gone' | 'ready' | 'busy' | 'later';

/** The pages that somebody waits for, in the order of docs/decisions/0019; any number of instances take from it. */
@Injectable()
export class ResolutionQueue {
  constructor(private readonly database: Database) {}

  /** The page whose turn it is; undefined when none may be read now. */
  claim(): Promise<PageClaim | undefined> {
    return this.database.write(async (manager) => {
      await run(manager, { text: SERIALISE, values: [] });
      return this.lease(manager, NEXT, []);
    });
  }

  /** The page of one item, out of turn. Only whoever finds it free stands in the line of those who claim. */
  async claimFor({ userId, itemId }: Waiting): Promise<PageClaim | WaitingState> {
    const [row] = await this.database.read((manager) =>
      run<WaitingRow>(manager, { text: WAITING, values: [userId, itemId] }),
    );
    if (row?.is_open !== true) {
      return stateOf(row);
    }
    const claim = await this.database.write(async (manager) => {
      await run(manager, { text: SERIALISE, values: [] });
      return this.lease(manager, WAITED_FOR, [userId, itemId]);
    });
    return claim ?? 'busy';
  }

  /** Keeps a claim from ending while its page is still being read. */
  async renew(lease: string): Promise<void> {
    await this.database.read((manager) => run(manager, { text: RENEW, values: [lease] }));
  }

  /** Gives a claim back that is not settled. */
  async release(lease: string): Promise<void> {
    await this.database.read((manager) => run(manager, { text: RELEASE, values: [lease] }));
  }

  private async lease(
    manager: EntityManager,
    which: string,
    values: readonly unknown[],
  ): Promise<PageClaim | undefined> {
    const lease = randomUUID();
    const [row] = await run<ClaimRow>(manager, {
      text: claimOf(which),
      values: [lease, ...values],
    });
    return row && claimed(row, lease);
  }
}

const stateOf = (row: WaitingRow | undefined): WaitingState => {
  if (row === undefined) {
    return 'gone';
  }
  if (row.is_ready) {
    return 'ready';
  }
  return row.is_busy ? 'busy' : 'later';
};
