/**
 * Matches a text that a spreadsheet would run as a formula (OWASP, "CSV Injection"). Also matches a formula with single
 * quotes before it, so that `escapeFormula` adds one more quote. Otherwise, `unescapeFormula` would remove a quote that
 * belongs to the text.
 */
const FORMULA = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/**
 * Puts a single quote before a text that matches `FORMULA`, so that a spreadsheet does not run the text as a formula.
 */
export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Reverses `escapeFormula`. */
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
