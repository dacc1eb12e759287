import { Injectable } from '@nestjs/common';

import { isDistributed } from '../../platform/database/database.js';
import { Every } from '../../platform/jobs/every.js';
import { ListTransactions } from '../list-transactions.js';
import { TagMoveRepository } from './tag-move.repository.js';

const EVERY_MS = 10 * 1000;
/**
 * On a distributed database, only one of this many scheduled runs does any work, because each run
 * queries all servers.
 */
const TURNS_BETWEEN_WHERE_DISTRIBUTED = 6;

/** Completes renames and deletions of tags that an API call has begun but not completed. */
@Injectable()
export class TagMoveSweep {
  private turn = 0;

  constructor(
    private readonly moves: TagMoveRepository,
    private readonly lists: ListTransactions,
  ) {}

  @Every(EVERY_MS)
  async sweepInTurn(): Promise<void> {
    const between = isDistributed(this.moves.manager) ? TURNS_BETWEEN_WHERE_DISTRIBUTED : 1;
    const isDue = this.turn % between === 0;
    this.turn += 1;
    if (isDue) {
      await this.sweep();
    }
  }

  async sweep(): Promise<void> {
    for (const userId of await this.moves.owners()) {
      await this.lists.moveTagsOrWarn(userId);
    }
  }
}
