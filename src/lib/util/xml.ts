import { escapeUTF8 } from 'entities';

/** Matches characters that XML 1.0 forbids, even as character references (section 2.2). */
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

/**
 * Removes the characters of a text that XML forbids, and replaces lone surrogates with U+FFFD. Does not escape the
 * text.
 */
export const allowedInXml = (text: string): string => text.toWellFormed().replaceAll(FORBIDDEN, '');

/**
 * Converts a value to text, and escapes the text for XML content and attributes. Removes characters that XML forbids.
 */
export const escapedXml = (value: unknown): string => escapeUTF8(allowedInXml(String(value)));

type Attributes = Readonly<Record<string, string | undefined>>;

/** Returns an XML element with attributes and child elements as a text. Omits attributes that are undefined. */
export const element = (
  name: string,
  attributes: Attributes,
  children: readonly string[],
): string => `<${name}${attributesOf(attributes)}>${children.join('')}</${name}>`;

export const textElement = (name: string, text: string, attributes: Attributes = {}): string =>
  element(name, attributes, [escapedXml(text)]);

export const emptyElement = (name: string, attributes: Attributes): string =>
  `<${name}${attributesOf(attributes)}/>`;

const attributesOf = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${escapedXml(value)}"`))
    .join('');
