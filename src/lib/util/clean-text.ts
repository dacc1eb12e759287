/** The maximum number of characters in the name of a person or an application. */
export const MAX_NAME_LENGTH = 200;

/** Matches a visible character, which is neither white space nor a control or formatting character. */
export const VISIBLE = /[^\s\p{C}\p{DI}\u2800]/u;

/** Removes U+0000 and replaces lone surrogates in a text, because PostgreSQL cannot store them. */
export const clean = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();

/** Returns at most the first `codePoints` code points of a text. Never splits a surrogate pair. */
export const cut = (text: string, codePoints: number): string =>
  text.length <= codePoints
    ? text
    : Array.from(text.slice(0, 2 * codePoints))
        .slice(0, codePoints)
        .join('');

/**
 * Matches the Unicode characters that change the direction of a text and of the text around it: embeddings, overrides
 * and isolates.
 */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;
const CONTROLS = /(?!\s)\p{Cc}/gu;

/** Removes the characters that change the direction of text. */
export const withoutDirections = (text: string): string => text.replace(DIRECTIONS, '');

/** Removes control characters and characters that change the direction of text. Keeps white space. */
export const withoutControls = (text: string): string =>
  withoutDirections(text).replace(CONTROLS, '');
