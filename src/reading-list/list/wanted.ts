/** What a batch of actions touches, by id; what does not exist may be wanted too. */
export interface Wanted {
  readonly itemIds: readonly string[];
  readonly tagIds: readonly string[];
  readonly annotations?: WantedAnnotations;
}

/** Annotations by their ids, and all those of items. */
export interface WantedAnnotations {
  readonly ids: readonly string[];
  readonly itemIds: readonly string[];
}
