/**
 * Matches a cell that a spreadsheet runs as a formula (OWASP, "CSV Injection"). Quotes before the formula also match,
 * so that a text that begins with a quote can be distinguished from an escaped cell.
 */
const FORMULA = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Puts a quote before a text that a spreadsheet would run as a formula. */
export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Reverses `escapeFormula`. */
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
