const FACETS = 64;
const TAGGED = 4;

/** What the 64 counters of a list tell apart; `items.facet` is the same rule in SQL. */
export interface Faceted {
  readonly status: 0 | 1;
  readonly favorite: 0 | 1;
  readonly tagIds: readonly string[];
  /** The bits that the resolver decides: article, video, image. */
  readonly kind: number;
}

/** How the counters move when the first items become the second ones. */
export function facetMoves(before: readonly Faceted[], after: readonly Faceted[]): number[] {
  const moves = noMoves();
  const count = (item: Faceted, by: 1 | -1): void => {
    const facet = facetOf(item);
    moves[facet] = (moves[facet] ?? 0) + by;
  };
  before.forEach((item) => {
    count(item, -1);
  });
  after.forEach((item) => {
    count(item, 1);
  });
  return moves;
}

/** The same for items that lost their last tag: by the facet they have after it. */
export function untaggedMoves(counts: ReadonlyMap<number, number>): number[] {
  const moves = noMoves();
  for (const [facet, items] of counts) {
    moves[facet] = items;
    moves[facet | TAGGED] = -items;
  }
  return moves;
}

/** Both moves at once. */
export const addedMoves = (one: readonly number[], other: readonly number[]): number[] =>
  one.map((by, facet) => by + (other[facet] ?? 0));

/** By how much the list grew. */
export const itemsMoved = (moves: readonly number[]): number =>
  moves.reduce((sum, by) => sum + by, 0);

const noMoves = (): number[] => Array.from({ length: FACETS }, () => 0);

const facetOf = ({ status, favorite, tagIds, kind }: Faceted): number =>
  status | (favorite << 1) | (tagIds.length === 0 ? 0 : TAGGED) | kind;
