/** Fills in the form for saving without a network, with the address that the user or an app has shared. */

const WEB_ADDRESS = /https?:\/\/[^\s<>"'`]+/i;

const shared = new URLSearchParams(location.search);

/** @param {string} name */
const textOf = (name) => shared.get(name)?.trim() ?? '';

/**
 * @param {string} id
 * @param {string} value
 */
function fill(id, value) {
  const field = document.getElementById(id);
  if (field instanceof HTMLInputElement) {
    field.value = value;
  }
}

const [address = ''] = WEB_ADDRESS.exec(`${textOf('text')} ${textOf('title')}`) ?? [];
fill('url', textOf('url') || address);
fill('title', textOf('title') === address ? '' : textOf('title'));
fill('tags', textOf('tags'));
export {};
