// The browser runs this file inside the page, in the separate world of the extension. The file contains only functions,
// because it may run several times in one page. Its result is a `CopiedPage`.

/** @typedef {import('./copied-page.js').CopiedPage} CopiedPage */
/** @typedef {import('./copied-page.js').SnapshotPart} SnapshotPart */

/**
 * A copy that is being made, in the document `target`, which loads nothing.
 * @typedef {{ parts: SnapshotPart[], omitted: number, token: string, target: Document }} PageCopy
 */

/** @returns {CopiedPage | undefined} Undefined if the page is not HTML. */
function copyOfPage() {
  if (document.contentType !== 'text/html' && document.contentType !== 'application/xhtml+xml') {
    return undefined;
  }
  const target = document.implementation.createHTMLDocument('');
  const token = `satchel-${crypto.getRandomValues(new Uint32Array(4)).join('-')}-`;
  /** @type {PageCopy} */
  const copy = { token, parts: [], omitted: 0, target };
  const root = copyOfElement(copy, document.documentElement);
  root.append(...adoptedStyles(copy, document.adoptedStyleSheets));
  const standard =
    target.doctype === null ? '' : new XMLSerializer().serializeToString(target.doctype);
  const doctype = document.compatMode === 'CSS1Compat' ? standard : '';
  const html = `${doctype}${root.outerHTML}`.replaceAll('\0', '');
  const { parts, omitted } = copy;
  return { html: html.replaceAll(/\p{Surrogate}/gu, '\uFFFD'), token, parts, omitted };
}

/**
 * @param {PageCopy} copy
 * @param {SnapshotPart} part
 */
function placeOfPart(copy, part) {
  return `${copy.token}${String(copy.parts.push(part) - 1)};`;
}

/** @param {CSSStyleSheet | null} sheet */
function rulesOfSheet(sheet) {
  try {
    return [...(sheet?.cssRules ?? [])].map(({ cssText }) => cssText).join('\n');
  } catch {
    return '';
  }
}

/**
 * @param {PageCopy} copy
 * @param {SnapshotPart} part
 * @param {string} media
 */
function styleElement(copy, part, media) {
  const style = copy.target.createElement('style');
  if (media !== '') {
    style.setAttribute('media', media);
  }
  style.textContent = placeOfPart(copy, part);
  return style;
}

/**
 * @param {PageCopy} copy
 * @param {readonly CSSStyleSheet[]} sheets
 */
function adoptedStyles(copy, sheets) {
  return sheets.map((sheet) => {
    const css = rulesOfSheet(sheet);
    return styleElement(copy, { kind: 'styles', url: document.baseURI, css }, '');
  });
}

/**
 * @param {PageCopy} copy
 * @param {Element} element
 * @param {string} url
 */
function pictureElement(copy, element, url) {
  const image = copy.target.createElement('img');
  copyAttributes(copy, element, image);
  const place = () => placeOfPart(copy, { kind: 'picture', url, css: '' });
  image.setAttribute('src', url.startsWith('data:') ? url : place());
  return image;
}

/**
 * Shows that something is missing, at the place and in the size of the original element.
 * @param {PageCopy} copy
 * @param {Element} element
 */
function gapElement(copy, element) {
  copy.omitted += 1;
  const { width, height } = element.getBoundingClientRect();
  const box = copy.target.createElement('div');
  const size = `width:${String(width)}px;height:${String(height)}px;max-width:100%`;
  const border = 'border-style:dashed;border-width:1px;box-sizing:border-box;overflow:hidden';
  box.setAttribute('style', `${size};${border}`);
  const url = 'src' in element ? String(element.src) : '';
  if (/^https?:/.test(url)) {
    const link = copy.target.createElement('a');
    link.setAttribute('href', url);
    link.textContent = url;
    box.append(link);
  }
  return box;
}

/**
 * @param {PageCopy} copy
 * @param {HTMLCanvasElement} canvas
 */
function drawingElement(copy, canvas) {
  try {
    return pictureElement(copy, canvas, canvas.toDataURL());
  } catch {
    return gapElement(copy, canvas);
  }
}

/**
 * @param {PageCopy} copy
 * @param {Element} from
 * @param {Element} to
 */
function copyAttributes(copy, from, to) {
  const handled = /^(?:on.*|src|srcset|sizes|href|action|formaction|ping|nonce|integrity)$/i;
  for (const { name, value } of from.attributes) {
    if (!handled.test(name) && /^[\w:.-]+$/.test(name)) {
      const hasAddress = name === 'style' && /url|image/i.test(value);
      const place = () =>
        placeOfPart(copy, { kind: 'attribute', url: document.baseURI, css: value });
      to.setAttribute(name, hasAddress ? place() : value);
    }
  }
  copyLink(from, to);
}

/**
 * @param {Element} from
 * @param {Element} to
 */
function copyLink(from, to) {
  const written = from.getAttribute('href') ?? '';
  const href = 'href' in from ? String(from.href) : '';
  if (written.startsWith('#')) {
    to.setAttribute('href', written);
  } else if (/^(?:https?|mailto):/i.test(href)) {
    to.setAttribute('href', href);
  }
}

/**
 * @param {Element} from
 * @param {Element} to
 */
function copyValue(from, to) {
  if (from instanceof HTMLInputElement) {
    to.removeAttribute('value');
    if (!['password', 'hidden', 'file'].includes(from.type)) {
      to.setAttribute('value', from.value);
    }
    to.toggleAttribute('checked', from.checked);
  } else if (from instanceof HTMLTextAreaElement) {
    to.textContent = from.value;
  } else if (from instanceof HTMLOptionElement) {
    to.toggleAttribute('selected', from.selected);
  }
}

/**
 * @param {PageCopy} copy
 * @param {Element} element
 */
function copyOfStyles(copy, element) {
  if (element instanceof HTMLLinkElement && element.sheet !== null && !element.disabled) {
    const { href, sheet, media } = element;
    return styleElement(copy, { kind: 'sheet', url: href, css: rulesOfSheet(sheet) }, media);
  }
  if (element instanceof HTMLStyleElement) {
    const written = element.textContent.trim();
    const css = written === '' ? rulesOfSheet(element.sheet) : written;
    return styleElement(copy, { kind: 'styles', url: document.baseURI, css }, element.media);
  }
  return undefined;
}

/**
 * Returns an element that replaces another one, or undefined if the element is copied as it is.
 * @param {PageCopy} copy
 * @param {Element} element
 */
function replacingElement(copy, element) {
  if (element instanceof HTMLImageElement) {
    return pictureElement(copy, element, element.currentSrc || element.src);
  }
  if (element instanceof HTMLCanvasElement) {
    return drawingElement(copy, element);
  }
  if (element instanceof HTMLVideoElement && element.poster !== '') {
    return pictureElement(copy, element, element.poster);
  }
  return /^(?:iframe|frame|video|audio|object|embed)$/.test(element.localName)
    ? gapElement(copy, element)
    : copyOfStyles(copy, element);
}

/**
 * Returns the shadow tree of an element, also a closed one.
 * @param {Element} element
 */
function shadowOfElement(element) {
  return chrome.dom !== undefined && element instanceof HTMLElement
    ? chrome.dom.openOrClosedShadowRoot(element)
    : element.shadowRoot;
}

/**
 * @param {PageCopy} copy
 * @param {ShadowRoot} shadow
 */
function copyOfShadow(copy, shadow) {
  const tree = copy.target.createElement('template');
  tree.setAttribute('shadowrootmode', 'open');
  tree.content.append(...copiesOfChildren(copy, shadow));
  tree.content.append(...adoptedStyles(copy, shadow.adoptedStyleSheets));
  return tree;
}

/**
 * @param {PageCopy} copy
 * @param {Element} element
 */
function copyOfElement(copy, element) {
  const made = copy.target.createElementNS(element.namespaceURI, element.localName);
  copyAttributes(copy, element, made);
  const shadow = shadowOfElement(element);
  if (shadow !== null) {
    made.append(copyOfShadow(copy, shadow));
  }
  made.append(...copiesOfChildren(copy, element));
  copyValue(element, made);
  return made;
}

/**
 * @param {PageCopy} copy
 * @param {Node} parent
 * @returns {Node[]}
 */
function copiesOfChildren(copy, parent) {
  const left = /^(?:script|noscript|link|meta|base|template|source|track|param)$/;
  return [...parent.childNodes].flatMap((child) => {
    if (child instanceof Text) {
      return copy.target.createTextNode(child.data);
    }
    if (!(child instanceof Element)) {
      return [];
    }
    const other = replacingElement(copy, child);
    return other ?? (left.test(child.localName) ? [] : copyOfElement(copy, child));
  });
}

copyOfPage();
