import { t } from './text.js';

/**
 * Adds a button to each code block that copies its text. The button contains no text, because its text would become
 * part of the article's text.
 * @param {HTMLElement} text
 */
export function addCopyButtons(text) {
  const status = document.createElement('p');
  status.className = 'hidden';
  status.setAttribute('role', 'status');
  text.after(status);
  for (const block of text.querySelectorAll('pre')) {
    const frame = document.createElement('div');
    frame.className = 'code';
    block.before(frame);
    frame.append(block, copyButton(block, status));
  }
}

/**
 * @param {HTMLPreElement} block
 * @param {HTMLElement} status
 */
function copyButton(block, status) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.title = t('scripts.copyCode');
  button.setAttribute('aria-label', t('scripts.copyCode'));
  const sign = icon('M9 9h11v11H9zM5 15H4V4h11v1');
  const done = icon('m5 12 5 5 9-10');
  button.append(sign);
  button.addEventListener('click', () => {
    void copied(block).then((isCopied) => {
      sign.replaceWith(isCopied ? done : sign);
      status.textContent = t(isCopied ? 'scripts.copied' : 'scripts.notCopied');
    });
  });
  button.addEventListener('blur', () => {
    done.replaceWith(sign);
    status.textContent = '';
  });
  return button;
}

const SVG = 'http://www.w3.org/2000/svg';

/** @param {string} shape */
function icon(shape) {
  const image = document.createElementNS(SVG, 'svg');
  image.setAttribute('class', 'icon');
  image.setAttribute('viewBox', '0 0 24 24');
  image.setAttribute('width', '20');
  image.setAttribute('height', '20');
  image.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', shape);
  image.append(path);
  return image;
}

/**
 * Copies the text of a code block. Over plain HTTP, or if the browser refuses, copies the selected text. Returns false
 * if the text is only selected.
 * @param {HTMLPreElement} block
 */
async function copied(block) {
  try {
    await navigator.clipboard.writeText(block.textContent);
    return true;
  } catch {
    getSelection()?.selectAllChildren(block);
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- browsers have no other way over plain HTTP
    return document.execCommand('copy');
  }
}

/**
 * Removes tables and code blocks that fit into the page from the order of the Tab key, because they do not scroll.
 * @param {HTMLElement} text
 */
export function followScrollers(text) {
  const parts = [...text.querySelectorAll('[tabindex="0"]')];
  const names = new Map(parts.map((part) => [part, part.getAttribute('aria-label')]));
  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      showScroller(target, names.get(target) ?? null);
    }
  });
  for (const part of parts) {
    watch.observe(part);
  }
}

/**
 * @param {Element} part
 * @param {string | null} name The name of the part for screen readers. Null for a part without a name.
 */
function showScroller(part, name) {
  const scrolls = part.scrollWidth > part.clientWidth;
  if (scrolls) {
    part.setAttribute('tabindex', '0');
  } else {
    part.removeAttribute('tabindex');
  }
  if (name === null) {
    return;
  }
  // Screen readers list every region, so a table that fits is not a region.
  if (scrolls) {
    part.setAttribute('role', 'region');
    part.setAttribute('aria-label', name);
  } else {
    part.removeAttribute('role');
    part.removeAttribute('aria-label');
  }
}
