import { decodeHTMLAttribute } from 'entities';

/** The addresses of a picture in attributes that scripts use. Each of them may be empty. */
interface PictureAttributes {
  /** The address that a script puts into the place of `src`. */
  readonly lazy: string;
  /** Another address, such as the one of an enlarged view. */
  readonly other: string;
  /** The sizes of the picture in the form of a `srcset`. */
  readonly set: string;
}

const LONGEST = 4_096;
/** Matches an address that ends with the extension of a picture, or asks a server for a picture format. */
const PICTURE =
  /^[^\s"<>{}]+?(?:\.(?:jpe?g|png|webp|gif|avif|svg|jfif|bmp)(?:$|[?#!@:/&,])|[?&](?:wx_fmt|fm|fmt|format)=(?:jpe?g|png|webp|gif|avif|auto)\b)/iu;
const ABSOLUTE = /^(?:https?:)?\/\/[^\s"<>]+$/iu;
/** Matches the names of attributes that contain a picture, even if its address has no extension. */
const LAZY_NAME = /(?:src|original|lazy(?:load)?|echo)$/iu;
/** Matches the names of attributes with a small or blurred picture, or with a picture for another purpose. */
const OTHER_NAME =
  /thumb|small|tiny|low|blur|lqip|placeholder|preview|loading|fallback|avatar|icon|error|poster|permalink|href|link|share|page/iu;
/** Matches a `srcset`, whose addresses are followed by widths or by densities. */
const SET = /\S\s+\d[\d.]*[wx]\s*(?:,|$)/u;
/** Attributes that have a meaning of their own in HTML, or are copied unchanged. */
const KNOWN: ReadonlySet<string> = new Set(
  'src srcset alt title id class style href sizes width height loading role name rel type usemap longdesc content'.split(
    ' ',
  ),
);

/**
 * Finds the addresses of a picture in attributes that scripts use, because each of hundreds of libraries has its own
 * names. Decides by the values: an address with the extension of a picture, a `srcset`, or JSON that contains such an
 * address.
 * @param isPicture - true if the element can only be a picture. Attributes may then contain addresses without extension.
 */
export function pictureAttributes(
  attributes: ReadonlyMap<string, string>,
  isPicture: boolean,
): PictureAttributes {
  const found = { lazy: '', other: '', set: '' };
  for (const [name, raw] of attributes) {
    if (!mayHavePicture(name, raw)) {
      continue;
    }
    const value = decodeHTMLAttribute(raw).trim();
    const isLazy = LAZY_NAME.test(name);
    found[isLazy ? 'lazy' : 'other'] ||= addressIn(value, isPicture && isLazy);
    found.set ||= isPicture ? setIn(value) : '';
  }
  return found;
}

const SHORTEST = 5;

const mayHavePicture = (name: string, value: string): boolean =>
  value.length >= SHORTEST && !KNOWN.has(name) && !OTHER_NAME.test(name);

const setIn = (value: string): string => (SET.test(value) ? value : '');

function addressIn(value: string, isNamed: boolean): string {
  if (value.length > LONGEST || value.startsWith('data:') || SET.test(value)) {
    return '';
  }
  if (/^[[{]/u.test(value)) {
    return addressInJson(value);
  }
  return PICTURE.test(value) || (isNamed && ABSOLUTE.test(value)) ? value : '';
}

const JSON_ADDRESS = /"((?:https?:)?(?:\\?\/){2}[^"\s]{1,2000}?)"/giu;

/** Returns the first address of a picture in JSON text. */
const addressInJson = (json: string): string =>
  [...json.matchAll(JSON_ADDRESS)]
    .map(([, address = '']) => address.replaceAll('\\/', '/'))
    .find((address) => PICTURE.test(address)) ?? '';

/** Returns the address of the picture in a `background` style. Returns an empty text if there is none. */
export function backgroundIn(style: string): string {
  const url = /background(?:-image)?\s*:[^;]{0,200}?url\(\s*['"]?([^'")]{4,2000})/iu.exec(
    decodeHTMLAttribute(style.slice(0, LONGEST)),
  )?.[1];
  return url !== undefined && PICTURE.test(url) ? url : '';
}
