import { attribute, type DomElement, eachElement, firstBelow, startOf } from '../dom.js';
import { isBare } from '../embeds/embed-frames.js';
import { fileNameOf } from './file-names.js';
import { imageSource } from './image-source.js';

const BASE = 'https://page.invalid/';
const MOST_TEXT = 200;

/**
 * Shows the pictures that a browser shows only with or only without scripts: pictures in `<noscript>`, and pictures that
 * a script or a style adds to an empty element.
 */
export function showHiddenPictures(body: DomElement): void {
  const noscripts: DomElement[] = [];
  const carriers: DomElement[] = [];
  eachElement(body, (element) => {
    if (element.localName === 'noscript') {
      noscripts.push(element);
      return false;
    }
    if (element.hasAttribute('data-picture')) {
      carriers.push(element);
    }
    return true;
  });
  const neighbours = new Neighbours();
  noscripts.forEach((noscript) => {
    showNoscript(noscript, neighbours);
  });
  carriers.filter(isBare).forEach(addPicture);
}

function addPicture(carrier: DomElement): void {
  const image = carrier.ownerDocument.createElement('img');
  image.setAttribute('src', attribute(carrier, 'data-picture'));
  image.setAttribute('alt', attribute(carrier, 'alt'));
  const caption = carrier.firstElementChild;
  if (caption === null) {
    carrier.appendChild(image);
    return;
  }
  const box = carrier.ownerDocument.createElement('div');
  caption.replaceWith(box);
  box.appendChild(image);
  box.appendChild(caption);
}

/**
 * Unwraps a `<noscript>` that contains only a picture or code. If the same picture is beside the `<noscript>`, or a
 * placeholder without an address, the picture from the `<noscript>` replaces it.
 */
function showNoscript(noscript: DomElement, neighbours: Neighbours): void {
  const [image, ...others] = firstBelow(noscript, MOST_PICTURES + 1, isImage);
  const code = noscript.querySelector('pre');
  if (code !== null) {
    replaceWithContent(noscript, 'div');
    return;
  }
  const isPicture = image !== undefined && others.length < MOST_PICTURES && !isTiny(image);
  if (!isPicture || startOf(noscript, MOST_TEXT).trim() !== '') {
    return;
  }
  const twin = others.length === 0 ? neighbours.twinOf(noscript, image) : undefined;
  if (twin === undefined) {
    replaceWithContent(noscript, 'span');
  } else {
    replaceTwin(twin, image);
    noscript.remove();
  }
}

function replaceTwin(twin: DomElement, image: DomElement): void {
  // A picture that offers more sizes, such as `amp-img`, is better than its replacement.
  if (!isSameSource(twin, image) || imageSource(twin, BASE) === imageSource(image, BASE)) {
    twin.replaceWith(image);
  }
}

const isSameSource = (one: DomElement, other: DomElement): boolean =>
  attribute(one, 'src') !== '' && attribute(one, 'src') === attribute(other, 'src');

const MOST_PICTURES = 20;

const isTiny = (image: DomElement): boolean =>
  image.hasAttribute('hidden') ||
  ['width', 'height'].some((name) => /^[0-3](?:px)?$/u.test(attribute(image, name)));

function replaceWithContent(noscript: DomElement, name: 'div' | 'span'): void {
  const box = noscript.ownerDocument.createElement(name);
  for (let node = noscript.firstChild; node; node = noscript.firstChild) {
    box.appendChild(node);
  }
  noscript.replaceWith(box);
}

/** Finds the picture for which a `<noscript>` is the replacement. Reads each figure and each picture only once. */
class Neighbours {
  readonly #sources = new Map<DomElement, string>();
  readonly #known = new Map<DomElement, readonly DomElement[]>();

  twinOf(noscript: DomElement, image: DomElement): DomElement | undefined {
    const beside = [noscript.previousElementSibling, noscript.nextElementSibling].flatMap((one) =>
      one === null ? [] : imagesIn(one, 1),
    );
    const placeholder = beside.find((one) => this.#sourceOf(one) === '');
    const name = fileNameOf(this.#sourceOf(image));
    const isTwin = (one: DomElement): boolean =>
      one.parentElement !== null &&
      (isSameSource(one, image) || fileNameOf(this.#sourceOf(one)) === name);
    return placeholder ?? [...beside, ...this.#inFigure(noscript)].find(isTwin);
  }

  #sourceOf(image: DomElement): string {
    const source = this.#sources.get(image) ?? imageSource(image, BASE);
    this.#sources.set(image, source);
    return source;
  }

  #inFigure(noscript: DomElement): readonly DomElement[] {
    const figure = noscript.closest('figure');
    if (figure === null) {
      return [];
    }
    const images = this.#known.get(figure) ?? imagesIn(figure, MOST_IN_FIGURE);
    this.#known.set(figure, images);
    return images;
  }
}

const MOST_IN_FIGURE = 10;

const isImage = ({ localName }: DomElement): boolean => localName === 'img';

const isNoscript = ({ localName }: DomElement): boolean => localName === 'noscript';

/** Returns the first pictures of an element that a browser shows with scripts. */
const imagesIn = (element: DomElement, most: number): DomElement[] =>
  isImage(element)
    ? [element]
    : isNoscript(element)
      ? []
      : firstBelow(element, most, isImage, isNoscript);
