/** The maximum length of the names of people and applications. */
export const MAX_NAME_LENGTH = 200;

/** Matches a visible character, which is not white space, not a control character, and not an invisible character. */
export const VISIBLE = /[^\s\p{C}\p{DI}\u2800]/u;

/** Removes U+0000 and replaces lone surrogates, which PostgreSQL cannot store. */
export const clean = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();

/** Returns the beginning of a text with at most `codePoints` code points. Never splits a surrogate pair. */
export const cut = (text: string, codePoints: number): string =>
  text.length <= codePoints
    ? text
    : Array.from(text.slice(0, 2 * codePoints))
        .slice(0, codePoints)
        .join('');

/**
 * Matches the Unicode characters for embeddings, overrides and isolates, which change the direction of a text and of
 * other text around it.
 */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;
const CONTROLS = /(?!\s)\p{Cc}/gu;

/** Removes the characters that change the direction of a text. */
export const withoutDirections = (text: string): string => text.replace(DIRECTIONS, '');

/** Removes control characters, and characters that change the direction of a text. Keeps white space. */
export const withoutControls = (text: string): string =>
  withoutDirections(text).replace(CONTROLS, '');
