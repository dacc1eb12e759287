/** A passage that somebody has marked; the time is in unix seconds. */
export interface AnnotationToImport {
  readonly annotationId?: string;
  readonly quote: string;
  readonly patch?: string;
  readonly version?: string;
  readonly createdAt?: number;
}

/** A saved page as a file tells of it: texts as they stand there, times in unix seconds, absent what it does not say. */
export interface ItemToImport {
  readonly url: string;
  readonly title?: string;
  readonly prefersGivenTitle?: boolean;
  readonly tags?: readonly string[];
  /** 0 unread, 1 archived. */
  readonly status?: 0 | 1;
  readonly favorite?: 0 | 1;
  readonly timeAdded?: number;
  readonly timeUpdated?: number;
  readonly timeRead?: number;
  readonly timeFavorited?: number;
  readonly annotations?: readonly AnnotationToImport[];
}
