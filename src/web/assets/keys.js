import { t } from './text.js';

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

/** Shows the help: the section `#keys` of the page, as a dialog. */
export function showHelp() {
  const section = document.querySelector('#keys dl');
  if (section === null) {
    return;
  }
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-labelledby', 'keys-title');
  const title = document.createElement('h2');
  title.id = 'keys-title';
  title.textContent = t('scripts.keys');
  const close = document.createElement('button');
  close.textContent = t('scripts.close');
  close.addEventListener('click', () => {
    dialog.close();
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
  });
  dialog.append(title, section.cloneNode(true), close);
  document.body.append(dialog);
  dialog.showModal();
}
