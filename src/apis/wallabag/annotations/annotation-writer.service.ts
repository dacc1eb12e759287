import { randomUUID } from 'node:crypto';

import { Injectable, NotFoundException } from '@nestjs/common';

import { patchOf } from '../../../articles/reading/passages.js';
import type { Annotation } from '../../../reading-list/entities/annotation.entity.js';
import { AnnotationRepository } from '../../../reading-list/list/annotation.repository.js';
import type { NewAnnotation } from '../../../reading-list/list/tracked-annotations.js';
import {
  EntryActions,
  type LockedEntries,
  refuseUnlessDone,
} from '../entries/entry-actions.service.js';
import type { AnnotationRequest } from './annotation.requests.js';

/** The version of the format in which annotations are stored. Clients of the v3 API use the same format version. */
const VERSION = '2';

/** Creates, changes and deletes annotations. All clients and the web UI show them. */
@Injectable()
export class AnnotationWriter {
  constructor(private readonly actions: EntryActions) {}

  /**
   * Creates an annotation on an article and returns it.
   *
   * @throws ItemNotFoundError if the item is missing
   * @throws ValidationFailedError if the annotation is invalid
   */
  create(
    userId: string,
    itemId: string,
    { text = '', quote = '', ranges = [] }: AnnotationRequest,
  ): Promise<Annotation> {
    return this.actions.underLock(userId, async (list) => {
      const annotationId = randomUUID();
      const patch = quote === '' ? '' : patchOf('', quote.toWellFormed());
      const annotation = { annotationId, quote, patch, version: VERSION, note: text, ranges };
      await write(list, itemId, annotation);
      return this.written(list, annotationId);
    });
  }

  /**
   * Replaces the note of an annotation.
   *
   * @throws NotFoundException if there is no annotation with this numeric id
   * @throws ValidationFailedError if the note is invalid
   */
  rewrite(userId: string, number: number, note: string): Promise<Annotation> {
    return this.actions.underLock(userId, async (list) => {
      const { itemId, createdAt, ...there } = await this.numbered(list, number);
      const { annotationId, quote, patch, version } = there;
      const annotation = { annotationId, quote, patch, version, note };
      await write(list, itemId, annotation, Number(createdAt));
      return this.written(list, annotationId);
    });
  }

  /**
   * Deletes an annotation and returns it.
   *
   * @throws NotFoundException if there is no annotation with this numeric id
   */
  delete(userId: string, number: number): Promise<Annotation> {
    return this.actions.underLock(userId, async (list) => {
      const found = await this.numbered(list, number);
      const { annotationId } = found;
      await list.apply([{ action: 'delete_annotation', annotationId, time: undefined }]);
      return found;
    });
  }

  private async numbered({ manager, userId }: LockedEntries, number: number): Promise<Annotation> {
    const annotations = AnnotationRepository.in(manager);
    const found = await annotations.findOneBy({ userId, number });
    if (found === null) {
      throw new NotFoundException();
    }
    return found;
  }

  private written({ manager, userId }: LockedEntries, annotationId: string): Promise<Annotation> {
    return AnnotationRepository.in(manager).findOneByOrFail({ userId, annotationId });
  }
}

async function write(
  list: LockedEntries,
  itemId: string,
  annotation: NewAnnotation,
  time?: number,
): Promise<void> {
  const action = { action: 'add_annotation', item: { itemId }, annotation, time } as const;
  refuseUnlessDone(await list.apply([action]));
}
