/** Items in the largest page of any application. */
export const LARGEST_PAGE = 5000;

/** How answers differ where the specification and the original's own apps do (docs/decisions/0012). */
export enum Dialect {
  /** The specification to the letter. */
  Standard = 'standard',
  /** What the original's own apps and extension rely on. */
  Classic = 'classic',
}
