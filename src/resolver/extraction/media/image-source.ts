import { webAddress } from '../dom/address.js';
import { attribute, type DomElement } from '../dom/dom.js';

/** Where lazy loaders put the address until the picture comes into view, the best first. */
const LAZY = [
  'data-src',
  'data-original',
  'data-lazy-src',
  'data-orig-file',
  'data-hi-res-src',
  'data-full-url',
  'data-image',
  'data-url',
];
const PLACEHOLDER =
  /^data:|(?:^|[/_-])(?:blank|spacer|placeholder|loading|lazy|transparent|grey|gray|1x1|pixel|empty)[\w-]*\.(?:gif|png|svg|jpe?g)/iu;
const PICTURE = /\.(?:jpe?g|png|webp|gif|avif)(?:$|[?#])/iu;

/** The address that a picture ends up with when a reader looks at it; "" when there is none. */
export function imageSource(image: DomElement, base: string): string {
  const candidates = [
    attribute(image, 'src'),
    ...LAZY.map((name) => attribute(image, name)).filter(
      (value) => PICTURE.test(value) || /^(?:https?:)?\/\//u.test(value),
    ),
    largestOf(
      attribute(image, 'srcset') ||
        attribute(image, 'data-srcset') ||
        attribute(image, 'data-lazy-srcset'),
    ),
    largestOf(sourceSet(image)),
  ];
  const src = candidates.find((value) => value !== '' && !PLACEHOLDER.test(value)) ?? '';
  return webAddress(src, base);
}

/** The first source of the `<picture>` around the image. */
function sourceSet(image: DomElement): string {
  const picture = image.parentElement;
  const source = picture?.localName === 'picture' ? picture.querySelector('source') : null;
  return source ? attribute(source, 'srcset') || attribute(source, 'data-srcset') : '';
}

const CANDIDATE = /(\S*[^,\s])(?:\s+([\d.]+)[wx])?(?:\s*,|\s*$)/gu;

/** The largest picture of a `srcset`. */
export function largestOf(set: string): string {
  const candidates = [...set.slice(0, 8_192).matchAll(CANDIDATE)].map(([, src = '', size]) => ({
    src,
    size: Number(size ?? 1),
  }));
  return candidates.sort((a, b) => b.size - a.size)[0]?.src ?? '';
}
