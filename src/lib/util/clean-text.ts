/** How long what people and applications are called may be. */
export const MAX_NAME_LENGTH = 200;

/** A character that people see: no space, no control, and nothing that is not drawn. */
export const VISIBLE = /[^\s\p{C}\p{DI}\u2800]/u;

/** Text that PostgreSQL keeps as it is: without U+0000 and lone surrogates. */
export const clean = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();

/** The first code points of a text; a surrogate pair is never halved. */
export const cut = (text: string, codePoints: number): string =>
  text.length <= codePoints
    ? text
    : Array.from(text.slice(0, 2 * codePoints))
        .slice(0, codePoints)
        .join('');

/** Embeddings, overrides and isolates: they turn text around, also what stands beside it. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;
const CONTROLS = /(?!\s)\p{Cc}/gu;

/** The text in the direction that its letters have. */
export const withoutDirections = (text: string): string => text.replace(DIRECTIONS, '');

/** The same without control characters; white space stays. */
export const withoutControls = (text: string): string =>
  withoutDirections(text).replace(CONTROLS, '');
