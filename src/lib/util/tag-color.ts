/** The colors that a tag can have (docs/decisions/0111). */
export const TAG_COLORS = [
  'red',
  'orange',
  'yellow',
  'green',
  'teal',
  'blue',
  'purple',
  'pink',
] as const;
export type TagColorName = (typeof TAG_COLORS)[number];

/** Returns the color with this name. Returns undefined for any other value. */
export const tagColorOf = (name: unknown): TagColorName | undefined =>
  TAG_COLORS.find((color) => color === name);
