import { t } from './text.js';

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
