/**
 * A cell that a spreadsheet runs as a formula (OWASP, "CSV Injection"), and such a cell behind quotes: without the
 * latter, an escaped cell could not be told from a text that begins with a quote.
 */
const FORMULA = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Puts a quote before a text that a spreadsheet would run. */
export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Undoes `escapeFormula`. */
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
