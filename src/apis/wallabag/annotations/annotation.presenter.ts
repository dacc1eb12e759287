import type {
  Annotation,
  AnnotationRange,
} from '../../../reading-list/entities/annotation.entity.js';
import { formatSeconds } from '../entries/entry-dates.js';

/** An annotation in responses of the wallabag API. */
export interface AnnotationResponse {
  readonly user: string;
  readonly annotator_schema_version: 'v1.0';
  readonly id: number;
  readonly text: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly quote: string;
  /**
   * The position of the annotation in the article. Empty if another client, which stores positions in another format,
   * created the annotation.
   */
  readonly ranges: readonly AnnotationRange[];
}

type Shown = Pick<Annotation, 'number' | 'note' | 'quote' | 'ranges' | 'createdAt' | 'updatedAt'>;

export const presentAnnotation = (annotation: Shown, userName: string): AnnotationResponse => ({
  user: userName,
  annotator_schema_version: 'v1.0',
  id: annotation.number,
  text: annotation.note,
  created_at: formatSeconds(annotation.createdAt),
  updated_at: formatSeconds(annotation.updatedAt),
  quote: annotation.quote,
  ranges: annotation.ranges ?? [],
});
