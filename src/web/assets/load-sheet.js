/**
 * Loads a style sheet, unless the page has it. Also resolves if the style sheet cannot be loaded, because the page works
 * without it.
 * @param {string} url
 * @returns {Promise<unknown>}
 */
export function loadSheet(url) {
  if ([...document.styleSheets].some(({ href }) => href === url)) {
    return Promise.resolve();
  }
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = url;
  return new Promise((resolve) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', resolve);
    document.head.append(link);
  });
}
