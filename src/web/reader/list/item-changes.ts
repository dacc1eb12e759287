import { Injectable, Logger } from '@nestjs/common';

import { DeletionsService } from '../../../reading-list/deletions/deletions.service.js';
import type { ActionOutcome } from '../../../reading-list/list/action-outcome.js';
import { TombstoneRepository } from '../../../reading-list/list/tombstone.repository.js';
import { SendService } from '../../../reading-list/send/send.service.js';
import type { ActionForm } from './list-actions.request.js';

/** An action on items of the list. */
type Change = Pick<ActionForm, 'action' | 'itemIds' | 'tags'>;

/** The maximum number of items that are changed in one transaction. Other changes of the list wait for its end. */
const BATCH = 100;

/** Runs the actions of the reader. The same rules apply to actions in the API. */
@Injectable()
export class ItemChanges {
  private readonly logger = new Logger(ItemChanges.name);

  constructor(
    private readonly sending: SendService,
    private readonly deletions: DeletionsService,
    private readonly tombstones: TombstoneRepository,
  ) {}

  /**
   * Changes the items in batches, with one transaction for each batch. An id may be that of an item before its address
   * changed (docs/decisions/0113). Returns one outcome per item, in the order of the ids. If a later batch fails, returns the outcomes of the earlier batches, which are stored.
   */
  async run(userId: string, change: Change): Promise<ActionOutcome[]> {
    const outcomes: ActionOutcome[] = [];
    for (let start = 0; start < change.itemIds.length; start += BATCH) {
      const itemIds = change.itemIds.slice(start, start + BATCH);
      try {
        outcomes.push(...(await this.runBatch(userId, { ...change, itemIds })));
      } catch (error) {
        if (start === 0) {
          throw error;
        }
        this.logger.warn(new Error('A change of many items ended early.', { cause: error }));
        break;
      }
    }
    return outcomes;
  }

  private async runBatch(
    userId: string,
    { action, itemIds: givenIds, tags }: Change,
  ): Promise<ActionOutcome[]> {
    if (action === 'undo_delete') {
      return this.deletions.undo(userId, givenIds);
    }
    if (action === 'delete') {
      return this.deletions.delete(userId, givenIds);
    }
    const moves = await this.tombstones.movesOf(userId, givenIds);
    const itemIds = givenIds.map((id) => moves.get(id) ?? id);
    const named = action.startsWith('tags_') ? { tags } : {};
    const elements = itemIds.map((itemId) => ({ action, item_id: itemId, ...named }));
    return this.sending.send(userId, elements, false);
  }
}
