/** @param {Element | null | undefined} node @returns {node is HTMLElement} */
export function isElement(node) {
  return node instanceof HTMLElement;
}

/**
 * Focuses the link of an item.
 * @param {HTMLElement} item
 */
export const focusOn = (item) => {
  const link = item.querySelector('h2 a');
  if (isElement(link)) {
    link.focus();
    item.scrollIntoView({ block: 'nearest' });
  }
};
