/** Embeddings, overrides and isolates: they turn text around, also what stands beside it. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;
const CONTROLS = /(?!\s)\p{Cc}/gu;

/** The text in the direction that its letters have. */
export const withoutDirections = (text: string): string => text.replace(DIRECTIONS, '');

/** The same without control characters; white space stays. */
export const withoutControls = (text: string): string =>
  withoutDirections(text).replace(CONTROLS, '');
