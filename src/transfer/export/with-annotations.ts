import type { AnnotatedItem, ExportedAnnotation, ExportedItem } from './exported-item.js';

/** Joins two walks in the order of item ids, and holds the annotations of one item at a time. */
export async function* withAnnotations(
  items: AsyncIterable<ExportedItem>,
  annotations: AsyncIterable<ExportedAnnotation>,
): AsyncGenerator<AnnotatedItem> {
  const walk = annotations[Symbol.asyncIterator]();
  let next = await walk.next();
  for await (const item of items) {
    const own: ExportedAnnotation[] = [];
    while (next.done !== true && next.value.itemId === item.itemId) {
      own.push(next.value);
      next = await walk.next();
    }
    yield { item, annotations: own };
  }
}
