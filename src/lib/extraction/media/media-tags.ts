import { embeddedAddress } from '../embeds/embed-attributes.js';
import type { RawAttributes } from '../markup/head-reader.js';
import { backgroundIn, pictureAttributes } from './picture-attributes.js';

/** Elements of other vocabularies that behave like an element of HTML. */
const SAME_AS: Readonly<Record<string, string>> = {
  'amp-img': 'img',
  'amp-anim': 'img',
  'amp-iframe': 'iframe',
  'amp-video': 'video',
  'amp-audio': 'audio',
};

/** Returns the name of the HTML element that behaves like an element. Returns other names unchanged. */
export const sameAs = (name: string): string => SAME_AS[name] ?? name;

/** Elements that can show a picture that a script or a style adds. */
const CARRIERS: ReadonlySet<string> = new Set('figure div span a section picture'.split(' '));

/**
 * Returns the attributes of an element, with the addresses of its picture in `data-src` and `data-srcset`, or in
 * `data-picture` if the element itself is not a picture. Returns the same object if nothing changes.
 */
export function withMedia(name: string, attributes: RawAttributes): RawAttributes {
  if (name === 'img' || name === 'source') {
    return withPicture(attributes);
  }
  if (PLAYERS.has(name)) {
    return withAddress(attributes);
  }
  const embedded = embeddedAddress(name, attributes);
  if (embedded !== '') {
    return added(attributes, { 'data-embed-url': embedded });
  }
  return CARRIERS.has(name) ? withBackground(name, attributes) : attributes;
}

function withPicture(attributes: RawAttributes): RawAttributes {
  const { lazy, other, set } = pictureAttributes(attributes, true);
  return lazy === '' && other === '' && set === ''
    ? attributes
    : added(attributes, { 'data-src': lazy, 'data-full-url': other, 'data-srcset': set });
}

function withBackground(name: string, attributes: RawAttributes): RawAttributes {
  const isPicture = name === 'figure' || attributes.get('role') === 'img';
  const { lazy, other } = pictureAttributes(attributes, isPicture);
  const picture = lazy || other || backgroundIn(attributes.get('style') ?? '');
  const alt = attributes.get('data-alt') ?? attributes.get('aria-label') ?? '';
  return picture === '' ? attributes : added(attributes, { 'data-picture': picture, alt });
}

const PLAYERS: ReadonlySet<string> = new Set('iframe embed video audio object'.split(' '));
const EMPTY = /^(?:|about:\S*|javascript:.*|data:.*)$/isu;
const ADDRESS = /^(?:https?:)?\/\/[^\s"'<>]{3,2000}$/iu;

/** Copies the address of a player from the attribute in which a script finds it, if the player has no address. */
function withAddress(attributes: RawAttributes): RawAttributes {
  const src = (attributes.get('src') ?? attributes.get('data') ?? '').trim();
  if (!EMPTY.test(src)) {
    return attributes;
  }
  const lazy = [...attributes].find(
    ([key, value]) => key !== 'poster' && key.includes('src') && ADDRESS.test(value.trim()),
  );
  const any =
    lazy ??
    [...attributes].find(([key, value]) => key.startsWith('data-') && ADDRESS.test(value.trim()));
  return any === undefined ? attributes : added(attributes, { src: any[1].trim() });
}

/** Returns attributes with further values. Keeps the old value of an attribute whose new value is empty. */
const added = (
  attributes: RawAttributes,
  values: Readonly<Record<string, string>>,
): RawAttributes =>
  new Map([...attributes, ...Object.entries(values).filter(([, value]) => value !== '')]);
