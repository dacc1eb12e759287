import type { HighlightColor } from '../../lib/util/highlight-color.js';
import type { AnnotationRange } from '../entities/annotation.entity.js';

/** The maximum number of annotations of one item. */
export const MAX_ANNOTATIONS = 100;
/** The maximum length of a quote (the highlighted text), in UTF-16 code units. */
export const MAX_QUOTE = 20_000;
/** The maximum length of a patch, in UTF-16 code units. A patch contains the quote and the text around it. */
export const MAX_PATCH = 60_000;
export const MAX_NOTE = 20_000;
/** The maximum number of ranges of one annotation. */
export const MAX_RANGES = 100;
/** The maximum length of an XPath that selects a part of a highlight, in UTF-16 code units. */
export const MAX_RANGE_PATH = 1000;

/** A highlight that a user has created or changed. */
export interface NewAnnotation {
  readonly annotationId: string;
  readonly quote: string;
  readonly patch: string;
  readonly version: string;
  /** The note of the user on the highlight. If it is undefined, the stored note stays unchanged. */
  readonly note?: string;
  /** The ranges of the highlight. If they are undefined, the stored ranges stay unchanged. */
  readonly ranges?: readonly AnnotationRange[];
  /** The color of the highlight. If it is undefined, the stored color stays unchanged. */
  readonly color?: HighlightColor;
  /** True if the user already has the annotation, and only its item changes. Then the maximum number does not apply. */
  readonly isMoved?: boolean;
}

/** An annotation of an item. Times are Unix seconds. */
export interface ItemAnnotation extends NewAnnotation {
  readonly itemId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type AnnotationPlace = Pick<ItemAnnotation, 'annotationId' | 'itemId'>;

/** The loaded annotations, and the annotations that a batch of changes removes or writes. */
export class TrackedAnnotations {
  private readonly items: Map<string, string>;
  private readonly written = new Map<string, ItemAnnotation>();
  private readonly removed = new Set<string>();
  private readonly counts = new Map<string, number>();

  constructor(stored: readonly AnnotationPlace[]) {
    this.items = new Map(stored.map(({ annotationId, itemId }) => [annotationId, itemId]));
    for (const { itemId } of stored) {
      this.count(itemId, 1);
    }
  }

  itemOf(annotationId: string): string | undefined {
    return this.items.get(annotationId);
  }

  countOf(itemId: string): number {
    return this.counts.get(itemId) ?? 0;
  }

  /** Returns true if an item already has the maximum number of annotations, and would get one more. */
  isOneTooMany(itemId: string, { annotationId, isMoved = false }: NewAnnotation): boolean {
    return !isMoved && !this.items.has(annotationId) && this.countOf(itemId) >= MAX_ANNOTATIONS;
  }

  /** Adds an annotation, or replaces the annotation with the same id. */
  write(annotation: ItemAnnotation): void {
    this.count(annotation.itemId, this.items.has(annotation.annotationId) ? 0 : 1);
    this.items.set(annotation.annotationId, annotation.itemId);
    this.written.set(annotation.annotationId, annotation);
  }

  remove(annotationId: string): void {
    const itemId = this.items.get(annotationId);
    if (itemId !== undefined) {
      this.count(itemId, -1);
    }
    this.items.delete(annotationId);
    this.written.delete(annotationId);
    this.removed.add(annotationId);
  }

  /** Removes all annotations of a deleted item. */
  forget(itemId: string): void {
    for (const [annotationId, owner] of this.items) {
      if (owner === itemId) {
        this.remove(annotationId);
      }
    }
  }

  /**
   * Returns the annotations to remove and the annotations to write. The removal must come first, because a batch may
   * remove an annotation and then write it again.
   */
  changes(): { readonly removed: readonly string[]; readonly written: readonly ItemAnnotation[] } {
    return { removed: [...this.removed], written: [...this.written.values()] };
  }

  private count(itemId: string, by: number): void {
    this.counts.set(itemId, this.countOf(itemId) + by);
  }
}
