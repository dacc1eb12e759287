import { Injectable, NotFoundException } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Config } from '../../platform/config/config.js';
import { applyActions } from '../actions/apply-actions.js';
import { type ActionOutcome, UNKNOWN_ITEM } from '../list/action-outcome.js';
import { AnnotationRepository } from '../list/annotation.repository.js';
import { ListRepository } from '../list/list.repository.js';
import type { AnnotationPlace, NewAnnotation } from '../list/tracked-annotations.js';
import { ListTransactions } from '../list-transactions.js';

/** An annotation to write. `time` is in Unix seconds, and undefined means now. */
interface AnnotationWrite {
  readonly itemId: string;
  readonly annotation: NewAnnotation;
  readonly time?: number;
}

/** Writes annotations with colors. The actions that clients send do not support colors (docs/decisions/0111). */
@Injectable()
export class AnnotationEdits {
  constructor(
    private readonly lists: ListTransactions,
    private readonly config: Config,
  ) {}

  /**
   * Adds an annotation to an item, and returns its id. If the item already has an annotation with the same texts, and
   * with the same color if the new one has a color, returns the id of that annotation. Returns a refusal if the item or
   * the list has no room.
   */
  add(
    userId: string,
    itemId: string,
    annotation: NewAnnotation,
  ): Promise<{ readonly id: string; readonly outcome?: ActionOutcome }> {
    const { annotationId: id, quote, patch, note = '', color } = annotation;
    return this.lists.run(userId, async (manager, now) => {
      await ListRepository.in(manager).lock(userId);
      const texts = { userId, itemId, quote, patch, note, ...(color !== undefined && { color }) };
      const same = await AnnotationRepository.in(manager).findOneBy(texts);
      return same === null
        ? { id, outcome: await this.write(manager, { userId, now }, { itemId, annotation }) }
        : { id: same.annotationId };
    });
  }

  /**
   * Changes the note or the color of an annotation. A value that is undefined stays unchanged.
   * @throws NotFoundException if the item does not have this annotation
   */
  change(
    userId: string,
    { itemId, annotationId }: AnnotationPlace,
    { note, color }: Pick<NewAnnotation, 'note' | 'color'>,
  ): Promise<ActionOutcome> {
    return this.lists.run(userId, async (manager, now) => {
      await ListRepository.in(manager).lock(userId);
      const found = await AnnotationRepository.in(manager).findOneBy({
        userId,
        itemId,
        annotationId,
      });
      if (found === null) {
        throw new NotFoundException();
      }
      const { quote, patch, version, createdAt } = found;
      const texts = { note: note ?? found.note, color: color ?? found.color };
      const annotation = { annotationId, quote, patch, version, ...texts };
      const time = Number(createdAt);
      return this.write(manager, { userId, now }, { itemId, annotation, time });
    });
  }

  private async write(
    manager: EntityManager,
    { userId, now }: { userId: string; now: number },
    { itemId, annotation, time }: AnnotationWrite,
  ): Promise<ActionOutcome> {
    const { resolverPagesPerHour: pagesPerHour, storageLimitBytes: storageLimit } = this.config;
    const action = { action: 'add_annotation', item: { itemId }, annotation, time } as const;
    const settings = { actions: [action], now, pagesPerHour, storageLimit };
    const [outcome = UNKNOWN_ITEM] = await applyActions(manager, userId, settings);
    return outcome;
  }
}
