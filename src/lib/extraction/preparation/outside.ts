import { aroundMain, attribute, type DomElement, eachElement } from '../dom.js';

/** Returns true if an element is a dialog, such as a request for consent or the terms of a shop. */
const isDialog = (element: DomElement): boolean =>
  /^(?:alert)?dialog$/u.test(attribute(element, 'role')) ||
  attribute(element, 'aria-modal') === 'true';

/**
 * Removes dialogs beside the headline and `<main>` of a page. Keeps all dialogs of a page that has neither, because one
 * of them may contain the article.
 */
export function removeDialogs(body: DomElement): void {
  const isAround = aroundMain(body);
  if (isAround(body)) {
    remove(body, (element) => isDialog(element) && !isAround(element));
  }
}

/** Removes the footers and menus of a page, which are not prose, from an element that contains them. */
export function removeOutside(root: DomElement): void {
  remove(
    root,
    (element) =>
      element.localName === 'nav' ||
      (element.localName === 'footer' && element.closest('blockquote, article') === null),
  );
}

/** Removes all elements below `root` for which `isOutside` returns true. */
export function remove(root: DomElement, isOutside: (element: DomElement) => boolean): void {
  const found: DomElement[] = [];
  eachElement(root, (element) => {
    const isFound = isOutside(element);
    if (isFound) {
      found.push(element);
    }
    return !isFound;
  });
  found.forEach((element) => {
    element.remove();
  });
}
