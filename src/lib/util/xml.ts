import { escapeUTF8 } from 'entities';

/** What XML 1.0 has no characters for (section 2.2), not even as references. */
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

/** The text without the characters that XML forbids; a lone surrogate becomes U+FFFD. Nothing is escaped. */
export const allowedInXml = (text: string): string => text.toWellFormed().replaceAll(FORBIDDEN, '');

/** Any value as text, escaped for XML content and attributes, without the characters that XML forbids. */
export const escapedXml = (value: unknown): string => escapeUTF8(allowedInXml(String(value)));
