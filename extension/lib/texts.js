/** @typedef {import('./text-key.js').TextKey} TextKey */

/** @typedef {Readonly<Record<string, string | number>>} Values */

/** Matches each part of a text: a tag such as `<account>account page</account>`, or plain text. */
const PARTS = /<(\w+)>([^<]*)<\/\w+>|<|[^<]+/g;

/** The attributes that can have a text. For example, `data-i18n-title` has the key for `title`. */
const ATTRIBUTES = ['aria-label', 'placeholder', 'title'];

/** Returns the language of the texts. The browser may have another language. */
export const language = () => chrome.i18n.getMessage('language');

/**
 * Returns a text of the extension. The value `count` selects the plural form.
 * @param {TextKey} key
 * @param {Values} [values] Exactly the values that the English text contains.
 */
export const text = (key, values = {}) => find(key, values);

/**
 * Fills the elements of the current page with their texts. The attribute `data-i18n` of an element
 * has the key of the element's text.
 */
export function fillTexts() {
  document.documentElement.lang = language();
  for (const target of document.querySelectorAll('[data-i18n]')) {
    fill(target, find(target.getAttribute('data-i18n') ?? '', {}));
  }
  for (const name of ATTRIBUTES) {
    for (const target of document.querySelectorAll(`[data-i18n-${name}]`)) {
      target.setAttribute(name, find(target.getAttribute(`data-i18n-${name}`) ?? '', {}));
    }
  }
}

/**
 * Finds a text in the generated `_locales`. The values are passed in the order of their names,
 * which is also the order of their placeholders (scripts/extension-locales.mjs).
 * @param {string} key
 * @param {Values} values
 */
function find(key, values) {
  const name = key.replaceAll('.', '_');
  const ordered = Object.keys(values)
    .sort()
    .map((one) => String(values[one]));
  const { count } = values;
  if (typeof count !== 'number') {
    return chrome.i18n.getMessage(name, ordered);
  }
  const form = new Intl.PluralRules(language()).select(count);
  return (
    chrome.i18n.getMessage(`${name}_${form}`, ordered) ||
    chrome.i18n.getMessage(`${name}_other`, ordered)
  );
}

/**
 * Replaces the content of an element with a text. The name of a tag in the text is the id of a
 * child of the element. The child stays, and gets the text of the tag.
 * @param {Element} target
 * @param {string} content
 */
function fill(target, content) {
  const parts = [...content.matchAll(PARTS)].map(([part, id, label = '']) => {
    const child = id === undefined ? null : target.querySelector(`#${id}`);
    if (child === null) {
      return part;
    }
    child.textContent = label;
    return child;
  });
  target.replaceChildren(...parts);
}
