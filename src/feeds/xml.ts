import { escapeUTF8 } from 'entities';

type Attributes = Readonly<Record<string, string | undefined>>;

/** What XML 1.0 has no way to write, not even as a reference (section 2.2): lone surrogates are among it. */
const NO_CHARACTERS = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Any text, as it may stand between tags and in quotes. */
export const xmlText = (text: string): string => escapeUTF8(text.replaceAll(NO_CHARACTERS, ''));

/** An element around others; an attribute that is undefined is left out. */
export const element = (
  name: string,
  attributes: Attributes,
  children: readonly string[],
): string => `<${name}${attributesOf(attributes)}>${children.join('')}</${name}>`;

export const textElement = (name: string, text: string, attributes: Attributes = {}): string =>
  element(name, attributes, [xmlText(text)]);

export const emptyElement = (name: string, attributes: Attributes): string =>
  `<${name}${attributesOf(attributes)}/>`;

const attributesOf = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${xmlText(value)}"`))
    .join('');
