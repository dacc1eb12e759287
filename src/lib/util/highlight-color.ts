/** The colors that a highlight can have (docs/decisions/0111). */
export const HIGHLIGHT_COLORS = ['yellow', 'green', 'blue', 'pink'] as const;
export type HighlightColor = (typeof HIGHLIGHT_COLORS)[number];

/** The color of a highlight whose client does not know colors. */
export const DEFAULT_HIGHLIGHT_COLOR: HighlightColor = 'yellow';

/** Returns the color with this name. Returns undefined for any other value. */
export const highlightColorOf = (name: unknown): HighlightColor | undefined =>
  HIGHLIGHT_COLORS.find((color) => color === name);

/** The most similar color for color names of other services. */
const SIMILAR: ReadonlyMap<string, HighlightColor> = new Map<string, HighlightColor>([
  ['orange', 'yellow'],
  ['red', 'pink'],
  ['magenta', 'pink'],
  ['purple', 'pink'],
  ['violet', 'pink'],
  ['cyan', 'blue'],
]);

/** Returns the color for a color name of another service. Returns undefined for an unknown name. */
export function similarHighlightColor(name: unknown): HighlightColor | undefined {
  const lower = typeof name === 'string' ? name.trim().toLowerCase() : '';
  return highlightColorOf(lower) ?? SIMILAR.get(lower);
}
