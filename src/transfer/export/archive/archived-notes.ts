import { Injectable } from '@nestjs/common';
import { escapeUTF8 } from 'entities';

import { type Passage, passageOf } from '../../../articles/reading/passages.js';
import type { Translator } from '../../../platform/i18n/translator.js';
import type { Annotation } from '../../../reading-list/entities/annotation.entity.js';
import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import { AnnotationRepository } from '../../../reading-list/list/annotation.repository.js';
import type { ArchiveParts } from './archive-parts.js';

/** The note of the user about an item, and the highlights in its article. */
export interface ItemNotes {
  readonly note: string;
  readonly highlights: readonly Annotation[];
}

/** Finds the notes and highlights of items for an archive. */
@Injectable()
export class ArchivedNotes {
  constructor(private readonly annotations: AnnotationRepository) {}

  /** Returns the ids of the items in the user's list that have highlights. */
  itemIds(userId: string): Promise<ReadonlySet<string>> {
    return this.annotations.itemIdsOf(userId);
  }

  /** Returns undefined if the item has neither a note nor highlights. The row must contain the note. */
  async of(
    { item_id: itemId, note = '' }: ItemRow,
    { userId, withHighlights }: ArchiveParts,
  ): Promise<ItemNotes | undefined> {
    const highlights = withHighlights.has(itemId)
      ? ((await this.annotations.ofItems(userId, [itemId])).get(itemId) ?? [])
      : [];
    return note === '' && highlights.length === 0 ? undefined : { note, highlights };
  }
}

/** Returns the highlights to mark in the article. */
export const passagesIn = (notes: ItemNotes | undefined): readonly Passage[] =>
  notes?.highlights.map(passageOf) ?? [];

/** Returns the HTML of a note and of the highlights. The marks in the article link to this list. */
export function notesHtml({ note, highlights }: ItemNotes, { text }: Translator): string {
  const cards = highlights.map(({ annotationId, quote, note: words, color }) =>
    [
      `<li id="note-${escapeUTF8(annotationId)}"><blockquote dir="auto">${escapeUTF8(quote)}</blockquote>`,
      words === '' ? '' : paragraph(words),
      `<p>${escapeUTF8(text(`highlights.colors.${color}`))}</p></li>`,
    ].join('\n'),
  );
  return [
    note === '' ? '' : `${headingOf(text('itemNote.title'))}\n${paragraph(note)}`,
    cards.length === 0
      ? ''
      : `${headingOf(text('highlights.title'))}\n<ol class="items">\n${cards.join('\n')}\n</ol>`,
  ].join('\n');
}

const headingOf = (words: string): string => `<h2>${escapeUTF8(words)}</h2>`;
const paragraph = (words: string): string => `<p class="note" dir="auto">${escapeUTF8(words)}</p>`;
