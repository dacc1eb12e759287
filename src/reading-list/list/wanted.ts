/** What a batch of actions touches, by id; what does not exist may be wanted too. */
export interface Wanted {
  readonly itemIds: readonly string[];
  readonly tagIds: readonly string[];
}
