/** In UTF-16 units. */
export const MAX_QUOTE = 20_000;
/** It repeats the quote, with what stands around it. */
export const MAX_PATCH = 60_000;

/** A passage that somebody has marked. */
export interface NewAnnotation {
  readonly annotationId: string;
  readonly quote: string;
  readonly patch: string;
  readonly version: string;
}

/** An annotation of an item; the time is in unix seconds. */
export interface ItemAnnotation extends NewAnnotation {
  readonly itemId: string;
  readonly createdAt: number;
}

/** Which item an annotation belongs to. */
export type AnnotationPlace = Pick<ItemAnnotation, 'annotationId' | 'itemId'>;
