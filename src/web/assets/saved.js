/**
 * Replaces the back link in the small window of the bookmarklet by a close button: the saved page is still open in the
 * other window.
 */
const back = document.querySelector('a[data-close]');
if (back !== null && history.length === 1 && matchMedia('(max-width: 600px)').matches) {
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = 'Close';
  close.addEventListener('click', () => {
    window.close();
  });
  back.replaceWith(close);
}

export {};
