import { randomUUID } from 'node:crypto';

import { Injectable, NotFoundException } from '@nestjs/common';

import { ArticleReader } from '../../../articles/reading/article-reader.js';
import { patchOf } from '../../../articles/reading/passages.js';
import { fieldProblem, ValidationFailedError } from '../../../platform/common/common.errors.js';
import { message } from '../../../platform/i18n/message.js';
import type { Annotation } from '../../../reading-list/entities/annotation.entity.js';
import { AnnotationRepository } from '../../../reading-list/list/annotation.repository.js';
import { MAX_NOTE, MAX_QUOTE } from '../../../reading-list/list/tracked-annotations.js';
import { StorageFullError } from '../../../reading-list/reading-list.errors.js';
import { SendService } from '../../../reading-list/send/send.service.js';

interface NewHighlight {
  readonly quote: string;
  /** The text before the highlight. Empty if the browser did not send this text. */
  readonly before: string;
  readonly note: string;
}

export interface ItemOfUser {
  readonly userId: string;
  readonly itemId: string;
}

/**
 * Reads and changes the highlights of users in the reader. Highlights are annotations, and are changed with the same
 * actions as in the API.
 */
@Injectable()
export class Highlights {
  constructor(
    private readonly annotations: AnnotationRepository,
    private readonly articles: ArticleReader,
    private readonly actions: SendService,
  ) {}

  /** Returns the highlights of an item, the oldest first. */
  async of({ userId, itemId }: ItemOfUser): Promise<readonly Annotation[]> {
    return (await this.annotations.ofItems(userId, [itemId])).get(itemId) ?? [];
  }

  /**
   * Adds a highlight and returns its id.
   * @throws ValidationFailedError if the article does not contain the quote
   */
  async add(item: ItemOfUser, html: string | undefined, given: NewHighlight): Promise<string> {
    const { before, note } = given;
    const quote = given.quote.replaceAll('\r\n', '\n').trim();
    refuseLong({ quote, note });
    if (quote === '' || html === undefined || !(await this.articles.has(html, quote))) {
      throw new ValidationFailedError([OTHER_TEXT]);
    }
    const annotationId = randomUUID();
    const patch = patchOf(before.toWellFormed(), quote);
    await this.send(item.userId, {
      action: 'add_annotation',
      item_id: item.itemId,
      annotation: { annotation_id: annotationId, quote, patch, note },
    });
    return annotationId;
  }

  async writeNote(item: ItemOfUser, annotationId: string, note: string): Promise<void> {
    refuseLong({ note });
    const { quote, patch, version, createdAt } = await this.find(item, annotationId);
    await this.send(item.userId, {
      action: 'add_annotation',
      item_id: item.itemId,
      time: createdAt,
      annotation: { annotation_id: annotationId, quote, patch, version, note },
    });
  }

  async delete(item: ItemOfUser, annotationId: string): Promise<void> {
    await this.find(item, annotationId);
    await this.send(item.userId, { action: 'delete_annotation', annotation_id: annotationId });
  }

  private async find(item: ItemOfUser, annotationId: string): Promise<Annotation> {
    const found = (await this.of(item)).find((one) => one.annotationId === annotationId);
    if (found === undefined) {
      throw new NotFoundException();
    }
    return found;
  }

  private async send(userId: string, action: object): Promise<void> {
    const [outcome] = await this.actions.send(userId, [action], false);
    if (outcome?.ok === false) {
      const { error, message: reason } = outcome.refusal;
      throw error instanceof StorageFullError ? error : notKept(reason);
    }
  }
}

const OTHER_TEXT = fieldProblem(
  'quote',
  'must be text from the article',
  message('highlights.rules.quote'),
);
const LONG_QUOTE = fieldProblem(
  'quote',
  `must have at most ${MAX_QUOTE} characters`,
  message('highlights.rules.quoteLength', { most: String(MAX_QUOTE) }),
);
const LONG_NOTE = fieldProblem(
  'note',
  `must have at most ${MAX_NOTE} characters`,
  message('highlights.rules.noteLength', { most: String(MAX_NOTE) }),
);

const notKept = (reason: string): Error =>
  new ValidationFailedError([
    fieldProblem(
      'quote',
      `cannot be kept: ${reason}`,
      message('highlights.rules.notKept', { reason }),
    ),
  ]);

function refuseLong({ quote = '', note }: { quote?: string; note: string }): void {
  const problems = [
    ...(quote.length > MAX_QUOTE ? [LONG_QUOTE] : []),
    ...(note.length > MAX_NOTE ? [LONG_NOTE] : []),
  ];
  if (problems.length > 0) {
    throw new ValidationFailedError(problems);
  }
}
