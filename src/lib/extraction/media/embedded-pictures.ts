import { decodeHTMLAttribute } from 'entities';

import { percentDecoded } from '../plain-text.js';

/** Matches the addresses that contain a whole picture, in the formats that browsers show. */
const PICTURE = /^data:image\/(?:png|jpe?g|gif|webp|avif|svg\+xml)[;,]/iu;

/** Returns true if an address contains the data of a picture. */
export const isEmbeddedData = (src: string): boolean => PICTURE.test(src);

/** The maximum number of characters of one embedded picture. */
export const MOST_EMBEDDED = 100_000;
/** The minimum number of characters of an embedded picture. Shorter data is a placeholder, often one pixel. */
const FEWEST = 250;
const SHAPES = /<(?:path|circle|ellipse|line|poly\w+|text|image|use)\b/iu;
const BLUR = /feGaussianBlur|<animate/iu;

/** Returns true if an address contains a picture, not only a placeholder for one. */
export function isEmbeddedPicture(src: string): boolean {
  if (!PICTURE.test(src) || src.length < FEWEST || src.length > MOST_EMBEDDED) {
    return false;
  }
  const svg = /^data:image\/svg/iu.test(src) ? decodedSvg(src) : undefined;
  return svg === undefined || (SHAPES.test(svg) && !BLUR.test(svg));
}

const decodedSvg = (src: string): string => embeddedBytes(src)?.toString() ?? '';

/** Returns the data of a picture that its address contains. Returns undefined for other addresses. */
export function embeddedBytes(src: string): Buffer | undefined {
  if (!isEmbeddedData(src)) {
    return undefined;
  }
  const [head = ''] = src.split(',', 1);
  const data = src.slice(head.length + 1);
  return /;base64$/iu.test(head) ? Buffer.from(data, 'base64') : Buffer.from(percentDecoded(data));
}

/** Returns the addresses of the embedded pictures in the HTML of an article. */
export const embeddedIn = (html: string): string[] =>
  [...html.matchAll(/ src="(data:image\/[^"]{1,100000})"/gu)].map(([, src = '']) =>
    decodeHTMLAttribute(src),
  );
