import type { AnnotationPlace, ItemAnnotation } from './annotation.js';

/** The annotations that a batch touches. */
export class SliceAnnotations {
  private readonly items: Map<string, string>;
  private readonly written = new Map<string, ItemAnnotation>();
  private readonly removed = new Set<string>();

  constructor(stored: readonly AnnotationPlace[]) {
    this.items = new Map(stored.map(({ annotationId, itemId }) => [annotationId, itemId]));
  }

  itemOf(annotationId: string): string | undefined {
    return this.items.get(annotationId);
  }

  countOf(itemId: string): number {
    return [...this.items.values()].filter((id) => id === itemId).length;
  }

  /** An annotation with the same id is replaced. */
  write(annotation: ItemAnnotation): void {
    this.items.set(annotation.annotationId, annotation.itemId);
    this.written.set(annotation.annotationId, annotation);
  }

  remove(annotationId: string): void {
    this.items.delete(annotationId);
    this.written.delete(annotationId);
    this.removed.add(annotationId);
  }

  /** The item is deleted, and they with it. */
  forget(itemId: string): void {
    for (const [annotationId, owner] of this.items) {
      if (owner === itemId) {
        this.remove(annotationId);
      }
    }
  }

  /** Removals come first: one that was removed may have been written again. */
  changes(): { readonly removed: readonly string[]; readonly written: readonly ItemAnnotation[] } {
    return { removed: [...this.removed], written: [...this.written.values()] };
  }
}
