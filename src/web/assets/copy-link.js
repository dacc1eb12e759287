import { copied } from './copy-quote.js';
import { notify } from './notices.js';
import { t } from './text.js';

/** Shows the buttons that copy the link in a field. Without scripts, they are hidden. */
export function offerLinks() {
  for (const button of document.querySelectorAll('[data-copy-link]')) {
    if (button instanceof HTMLElement) {
      button.hidden = false;
      button.addEventListener('click', () => {
        void copyLink(document.getElementById(button.dataset['copyLink'] ?? ''));
      });
    }
  }
}

/**
 * Copies a link as text, and selects it, so that the user can copy it if the browser does not allow the script to.
 * @param {HTMLElement | null} field
 */
async function copyLink(field) {
  if (field instanceof HTMLInputElement) {
    const { value } = field;
    // A link has no characters with a meaning in HTML.
    const isCopied = await copied({ text: value, html: value });
    field.select();
    notify(t(isCopied ? 'scripts.copied' : 'scripts.copyFailed'), undefined);
  }
}
