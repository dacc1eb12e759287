/**
 * The number of facets. A facet is a combination of item properties, such as archived and tagged. A list stores one
 * counter for each facet.
 */
export const FACETS = 64;
/** The bits of a facet. Each bit is one property of an item, such as archived. */
export const ARCHIVED = 1;
export const FAVORITE = 2;
export const TAGGED = 4;
export const CONTENT = { article: 8, video: 16, image: 32 } as const;
/** The bits of a facet that depend on the content of the page. */
export const KIND = CONTENT.article | CONTENT.video | CONTENT.image;

/** Compares some bits of the column `items.facet` with the required values. */
export interface FacetTest {
  readonly mask: number;
  readonly value: number;
}

export const passes = (facet: number, { mask, value }: FacetTest): boolean =>
  (facet & mask) === value;

export const facetsPassing = (test: FacetTest): number[] =>
  [...Array(FACETS).keys()].filter((facet) => passes(facet, test));

/** The SQL expression of the generated column `items.facet`. It must agree with `facetOf` and `kindOf`. */
export const FACET_OF_ROW = `((status & 1) | ((favorite & 1) << 1) | (CASE WHEN tags = '{}' THEN 0 ELSE ${TAGGED} END)
  | ((is_article & 1) << 3) | (CASE WHEN has_video > 0 THEN ${CONTENT.video} ELSE 0 END)
  | (CASE WHEN has_image = 2 THEN ${CONTENT.image} ELSE 0 END))::smallint`;

/** The properties of an item that determine its facet. */
export interface Faceted {
  readonly status: 0 | 1;
  readonly favorite: 0 | 1;
  readonly tagIds: readonly string[];
  /** The bits of the item's facet that depend on the content of the page, such as video. */
  readonly kind: number;
}

const facetOf = ({ status, favorite, tagIds, kind }: Faceted): number =>
  (status === 1 ? ARCHIVED : 0) |
  (favorite === 1 ? FAVORITE : 0) |
  (tagIds.length === 0 ? 0 : TAGGED) |
  kind;

/**
 * The content of a page. In `hasVideo` and `hasImage`, 1 means that the page contains a video or an
 * image, and 2 means that the page itself is a video or an image.
 */
interface Content {
  readonly isArticle: boolean;
  readonly hasVideo: 0 | 1 | 2;
  readonly hasImage: 0 | 1 | 2;
}

/** Returns the bits of a facet for the content of a page. */
export const kindOf = ({ isArticle, hasVideo, hasImage }: Content): number =>
  (isArticle ? CONTENT.article : 0) |
  (hasVideo > 0 ? CONTENT.video : 0) |
  (hasImage === 2 ? CONTENT.image : 0);

/**
 * Returns the change of each facet counter if the items `before` are replaced with the items
 * `after`.
 */
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

/**
 * Returns the change of each facet counter if items lose their last tag. `counts` maps each new
 * facet of these items to the number of items.
 */
export function untaggedMoves(counts: ReadonlyMap<number, number>): number[] {
  const moves = noMoves();
  for (const [facet, items] of counts) {
    moves[facet] = items;
    moves[facet | TAGGED] = -items;
  }
  return moves;
}

export const addedMoves = (one: readonly number[], other: readonly number[]): number[] =>
  one.map((by, facet) => by + (other[facet] ?? 0));

/** Returns the change in the total number of items, computed from the changes of the facet counters. */
export const itemsMoved = (moves: readonly number[]): number =>
  moves.reduce((sum, by) => sum + by, 0);

const noMoves = (): number[] => Array.from({ length: FACETS }, () => 0);
