/** The small window of the bookmarklet: the page is still open beside it, so there is nothing to go back to. */
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
