/**
 * Matches a text that a spreadsheet would run as a formula (OWASP, "CSV Injection"). Also matches a formula after
 * quotes, so that such a text is escaped too and remains distinguishable from an escaped formula.
 */
const FORMULA = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Puts a quote before a text that a spreadsheet would run as a formula. */
export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Reverses `escapeFormula`. */
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
