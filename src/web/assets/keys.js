/** @typedef {Readonly<Record<string, () => void>>} Bindings The action of each key, by `KeyboardEvent.key`. */

/**
 * Binds keys to actions. Keys are ignored while the user edits a field or holds a modifier key. The key `?` shows the
 * help of the page.
 * @param {Bindings} bindings
 */
export function bindKeys(bindings) {
  const all = new Map(Object.entries({ '?': showHelp, ...bindings }));
  document.addEventListener('keydown', (event) => {
    if (isForTheBrowser(event)) {
      return;
    }
    const action = all.get(event.key);
    if (action !== undefined) {
      event.preventDefault();
      action();
    }
  });
}

/** @param {KeyboardEvent} event */
function isForTheBrowser(event) {
  return (
    event.defaultPrevented ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    isWriting(event.target) ||
    document.querySelector('dialog[open]') !== null
  );
}

const WRITING = 'textarea, select, [contenteditable], input:not([type=checkbox], [type=radio])';

/** @param {EventTarget | null} target */
const isWriting = (target) => target instanceof Element && target.matches(WRITING);

/** Shows the help of the page. Does nothing if the script cannot be loaded. */
const showHelp = () => {
  import('./keys-help.js').then(
    (help) => {
      help.showHelp();
    },
    () => undefined,
  );
};
