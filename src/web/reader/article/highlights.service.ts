import { Injectable, NotFoundException } from '@nestjs/common';

import type { OpenedItem } from '../../../articles/articles.service.js';
import { ArticleReader } from '../../../articles/reading/article-reader.js';
import { patchOf } from '../../../articles/reading/passages.js';
import { type HighlightColor, highlightColorOf } from '../../../lib/util/highlight-color.js';
import { fieldProblem, ValidationFailedError } from '../../../platform/common/common.errors.js';
import { message } from '../../../platform/i18n/message.js';
import { readAnnotation } from '../../../reading-list/actions/raw-action.js';
import { AnnotationEdits } from '../../../reading-list/edits/annotation-edits.service.js';
import type { Annotation } from '../../../reading-list/entities/annotation.entity.js';
import { type ActionOutcome, Refusal } from '../../../reading-list/list/action-outcome.js';
import { AnnotationRepository } from '../../../reading-list/list/annotation.repository.js';
import { MAX_NOTE, MAX_QUOTE } from '../../../reading-list/list/tracked-annotations.js';
import { StorageFullError } from '../../../reading-list/reading-list.errors.js';
import { SendService } from '../../../reading-list/send/send.service.js';

interface NewHighlight {
  readonly quote: string;
  /** The text before the highlight. Empty if the browser did not send this text. */
  readonly before: string;
  /** The number of characters before the highlight, without white space. */
  readonly offset: number;
  readonly note: string;
  /** The name of the color. Empty if the form has no colors. */
  readonly color: string;
}

/** The changes of a form for a highlight. A value that is undefined stays unchanged. */
interface HighlightChange {
  readonly note: string | undefined;
  readonly color: string;
}

export interface ItemOfUser {
  readonly userId: string;
  readonly itemId: string;
}

/**
 * Reads and changes the highlights of users in the reader. Highlights are annotations with a color, and clients see
 * them without the color.
 */
@Injectable()
export class Highlights {
  constructor(
    private readonly annotations: AnnotationRepository,
    private readonly articles: ArticleReader,
    private readonly actions: SendService,
    private readonly edits: AnnotationEdits,
  ) {}

  /** Returns the highlights of an item, the oldest first. */
  async of({ userId, itemId }: ItemOfUser): Promise<readonly Annotation[]> {
    return (await this.annotations.ofItems(userId, [itemId])).get(itemId) ?? [];
  }

  /**
   * Adds a highlight and returns its id. If the article already has the same highlight with the same note, returns the
   * id of that highlight, because a browser may send a form again after a lost response. Accepts any quote if the page
   * is not fetched yet, because a queued change of the address may come just before the highlight.
   * @throws ValidationFailedError if the article does not contain the quote, or the color is unknown
   */
  async add(item: ItemOfUser, page: OpenedItem['page'], given: NewHighlight): Promise<string> {
    const { before, offset, note } = given;
    const quote = given.quote.replaceAll('\r\n', '\n').trim();
    refuseLong({ quote, note });
    const color = readColor(given.color);
    if (quote === '' || (page !== undefined && !(await this.isIn(page.html, quote)))) {
      throw new ValidationFailedError([OTHER_TEXT]);
    }
    const patch = patchOf(before.toWellFormed(), quote, offset);
    const annotation = readAnnotation({ quote, patch, note });
    if (annotation instanceof Refusal) {
      throw notKept(annotation);
    }
    const highlight = { ...annotation, ...color };
    const { id, outcome } = await this.edits.add(item.userId, item.itemId, highlight);
    requireKept(outcome);
    return id;
  }

  private async isIn(html: string | undefined, quote: string): Promise<boolean> {
    return html !== undefined && (await this.articles.has(html, quote));
  }

  /**
   * @throws NotFoundException if the item does not have this highlight
   * @throws ValidationFailedError if the note is too long, or the color is unknown
   */
  async change(item: ItemOfUser, annotationId: string, change: HighlightChange): Promise<void> {
    const { note } = change;
    refuseLong({ note: note ?? '' });
    const changes = { ...(note !== undefined && { note }), ...readColor(change.color) };
    const place = { itemId: item.itemId, annotationId };
    requireKept(await this.edits.change(item.userId, place, changes));
  }

  /** @throws NotFoundException if the item does not have this highlight */
  async delete(item: ItemOfUser, annotationId: string): Promise<void> {
    if (!(await this.of(item)).some((one) => one.annotationId === annotationId)) {
      throw new NotFoundException();
    }
    const action = { action: 'delete_annotation', annotation_id: annotationId };
    const [outcome] = await this.actions.send(item.userId, [action], false);
    requireKept(outcome);
  }
}

function requireKept(outcome: ActionOutcome | undefined): void {
  if (outcome?.ok === false) {
    const { error } = outcome.refusal;
    throw error instanceof StorageFullError ? error : notKept(outcome.refusal);
  }
}

/**
 * Returns the color from a form. Returns an empty object if the form has no color.
 * @throws ValidationFailedError if the color is unknown
 */
function readColor(name: string): { readonly color?: HighlightColor } {
  const color = highlightColorOf(name);
  if (color === undefined && name !== '') {
    throw new ValidationFailedError([OTHER_COLOR]);
  }
  return color === undefined ? {} : { color };
}

const OTHER_TEXT = fieldProblem(
  'quote',
  'must be text from the article',
  message('highlights.rules.quote'),
);
const OTHER_COLOR = fieldProblem(
  'color',
  'must be a color of highlights',
  message('highlights.rules.color'),
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

const notKept = ({ message: reason, advice }: Refusal): Error =>
  new ValidationFailedError([
    fieldProblem(
      'quote',
      `cannot be kept: ${reason}`,
      advice ?? message('highlights.rules.notKept'),
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
