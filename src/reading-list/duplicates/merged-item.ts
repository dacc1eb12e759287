import { randomUUID } from 'node:crypto';

import { isNoteTooLong, joinNotes } from '../../lib/util/item-note.js';
import type { Action } from '../actions/action.js';
import type { Annotation } from '../entities/annotation.entity.js';
import type { Item } from '../entities/item.entity.js';
import type { AnnotationsByItem } from '../list/annotation.repository.js';
import { parseTagNames, type TagName } from '../list/tag-name.js';
import { MAX_TAGS } from '../list/tracked-tags.js';

/** The items of one merge. */
export interface MergedItems {
  readonly kept: Item;
  /** The items that move to the trash. */
  readonly others: readonly Item[];
}

/** The reason why items cannot be merged without a loss. */
export type MergeProblem = 'highlights' | 'note' | 'tags';

/** Returns the highlights of the other items that the kept item does not have yet. */
export function missingHighlights(
  { kept, others }: MergedItems,
  annotations: AnnotationsByItem,
): readonly Annotation[] {
  const seen = new Set((annotations.get(kept.itemId) ?? []).map(contentOf));
  const missing: Annotation[] = [];
  for (const annotation of others.flatMap(({ itemId }) => annotations.get(itemId) ?? [])) {
    const content = contentOf(annotation);
    if (!seen.has(content)) {
      seen.add(content);
      missing.push(annotation);
    }
  }
  return missing;
}

const contentOf = ({ quote, patch, note, color }: Annotation): string =>
  JSON.stringify([quote, patch, note, color]);

/** Matches the characters that searches for highlights ignore (articles/reading/passages.ts). */
const BLANK = /[\s\u00AD\u200B-\u200D\u2060\uFEFF]+/g;
const solid = (text: string): string => text.replaceAll(BLANK, '');

/** Returns true if the text of an article contains the words of all highlights. */
export function containsAll(text: string, highlights: readonly Annotation[]): boolean {
  const words = highlights.length === 0 ? '' : solid(text);
  return highlights.every(({ quote }) => words.includes(solid(quote)));
}

/** Returns the reason why the kept item cannot have the note and the tags of all items. */
export function problemOf(merged: MergedItems): Exclude<MergeProblem, 'highlights'> | undefined {
  if (isNoteTooLong(noteAfter(merged))) {
    return 'note';
  }
  return tagsAfter(merged).length > MAX_TAGS ? 'tags' : undefined;
}

const noteAfter = ({ kept, others }: MergedItems): string =>
  others.reduce((note, other) => joinNotes(note, other.note), kept.note);

const tagsAfter = ({ kept, others }: MergedItems): readonly TagName[] => {
  const all = [kept, ...others].flatMap(({ tags }) => parseTagNames(tags) ?? []);
  return [...new Map(all.map((tag) => [tag.id, tag])).values()];
};

/**
 * Returns the actions that give the kept item what the user has added to the other items, and delete those. The kept item
 * is read only if all items are read.
 */
export function mergingActions(merged: MergedItems, highlights: readonly Annotation[]): Action[] {
  const { kept, others } = merged;
  const item = { itemId: kept.itemId };
  const note = noteAfter(merged);
  const noted: Action = { action: 'set_note', item, note, time: undefined };
  return [
    additionOf(merged),
    ...archivals(merged),
    ...favorites(merged),
    ...(note === kept.note ? [] : [noted]),
    ...highlights.map((annotation) => copyOf(annotation, item)),
    ...others.map(({ itemId }): Action => ({
      action: 'delete',
      item: { itemId },
      time: undefined,
    })),
  ];
}

/** Returns the action that moves the kept item to the position of the earliest addition, with all tags. */
function additionOf(merged: MergedItems): Action {
  const { kept, others } = merged;
  const earliest = [kept, ...others].reduce((first, one) =>
    BigInt(one.addedOrder) < BigInt(first.addedOrder) ? one : first,
  );
  const titled = kept.prefersGivenTitle ? undefined : others.find((one) => one.prefersGivenTitle);
  return {
    action: 'add',
    item: { itemId: kept.itemId },
    title: titled?.givenTitle,
    prefersGivenTitle: titled !== undefined,
    tags: tagsAfter(merged),
    bringsPage: true,
    addedSequence: earliest.addedSequence,
    time: Number(earliest.timeAdded),
  };
}

/** The action `add` has marked the kept item as unread. */
function archivals({ kept, others }: MergedItems): Action[] {
  const isRead = [kept, ...others].every(({ status }) => status === 1);
  const item = { itemId: kept.itemId };
  return isRead ? [{ action: 'archive', item, time: Number(kept.timeRead) }] : [];
}

/** A favorite keeps its time. To change the time, the actions remove the mark first. */
function favorites({ kept, others }: MergedItems): Action[] {
  const marked = [kept, ...others].filter((one) => one.favorite === 1);
  const time = Math.min(...marked.map((one) => Number(one.timeFavorited)));
  const item = { itemId: kept.itemId };
  return marked.length === 0
    ? []
    : [
        { action: 'unfavorite', item, time: undefined },
        { action: 'favorite', item, time },
      ];
}

/**
 * Returns the action that adds a copy of a highlight. The original stays with the item in the trash, so a restored item
 * has its highlights. The copy has no ranges, because they are positions in the HTML of the other page.
 */
function copyOf(annotation: Annotation, item: { readonly itemId: string }): Action {
  const { quote, patch, version, note, color, createdAt } = annotation;
  const copy = { annotationId: randomUUID(), quote, patch, version, note, color, isMoved: true };
  return { action: 'add_annotation', item, annotation: copy, time: Number(createdAt) };
}
