/**
 * The measured costs of operations in microseconds (docs/research/performance.md). Tests use other
 * costs to force each plan for a short list.
 */
export const COSTS = {
  /** The cost of reading an index entry. */
  entry: 0.1,
  /** The cost of looking up an index entry in sets of ids. */
  probe: 0.1,
  /** The cost of adding an entry to a set of ids. */
  hashing: 0.25,
  /** The cost of looking up a row by its id and testing the row. */
  row: 5,
  /** The cost of looking up a row of `item_search` and testing the row. */
  textRow: 3.5,
  /** The cost of checking whether an item has a tag or an annotation. */
  tag: 1.1,
  /** The cost of reading an annotation or a reading position, whose items are not read. */
  mark: 0.4,
  /** The cost of testing whether an item contains the words of a search. */
  words: 25,
  /**
   * The cost of searching one text, if the rows are read in the order in which they are stored: by
   * the time of addition.
   */
  text: 0.22,
  /** The cost of searching one text, if the rows are read in another order. */
  scatteredText: 0.7,
  /** The fixed cost of finding the rows for a search in an index on texts. */
  grams: 300,
  /**
   * The cost of fetching one row that the index on pairs of characters returns, and of searching
   * its text.
   */
  match: 1,
  /** The cost of fetching one item that the full-text index returns. */
  found: 0.5,
  /** The cost of finding the first item of a host in the index. */
  descent: 30,
  /**
   * The cost of inserting one entry while sorting. Only the first entries, up to the end of the
   * page, are sorted.
   */
  sorting: 0.4,
};
export type Costs = typeof COSTS;
