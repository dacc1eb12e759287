import { Injectable } from '@nestjs/common';

import { Every } from '../../common/every.js';
import { ListTransactions } from '../list-transactions.js';
import { TagMoveRepository } from './tag-move.repository.js';

const EVERY_MS = 10 * 1000;

/** Has items follow their tags where the call that began it could not see it through. */
@Injectable()
export class TagMoveSweep {
  constructor(
    private readonly moves: TagMoveRepository,
    private readonly lists: ListTransactions,
  ) {}

  @Every(EVERY_MS)
  async sweep(): Promise<void> {
    for (const userId of await this.moves.owners()) {
      await this.lists.moveTagsOrWarn(userId);
    }
  }
}
