/** Text that PostgreSQL keeps as it is: without U+0000 and lone surrogates. */
export const clean = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();

/** The first code points of a text; a surrogate pair is never halved. */
export const cut = (text: string, codePoints: number): string =>
  text.length <= codePoints
    ? text
    : Array.from(text.slice(0, 2 * codePoints))
        .slice(0, codePoints)
        .join('');
