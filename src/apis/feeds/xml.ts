import { escapedXml } from '../../lib/util/xml.js';

type Attributes = Readonly<Record<string, string | undefined>>;

/** Returns an element with child elements. Omits undefined attributes. */
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
