import { t } from './text.js';

/**
 * Replaces the back link with a close button in the small window that the bookmarklet opens. The saved page is still
 * open in the other window.
 */
const back = document.querySelector('a[data-close]');
if (back !== null && history.length === 1 && matchMedia('(max-width: 600px)').matches) {
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = t('scripts.close');
  close.addEventListener('click', () => {
    window.close();
  });
  back.replaceWith(close);
}
