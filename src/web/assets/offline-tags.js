import { keptItems } from './offline-items.js';

/** Fills in the form for the tags of an item, from the items that this browser keeps. */

const asked = new URLSearchParams(location.search);
const form = document.getElementById('tags-form');
const item = (await keptItems()).find(({ id }) => id === asked.get('item'));

/**
 * @param {HTMLFormElement} filled
 * @param {string} name
 * @param {string} value
 */
function fill(filled, name, value) {
  const field = filled.elements.namedItem(name);
  if (field instanceof HTMLInputElement) {
    field.value = value;
  }
}

if (form instanceof HTMLFormElement && item !== undefined) {
  fill(form, 'item[]', item.id);
  fill(form, 'back', asked.get('back') ?? '/list');
  fill(form, 'tags', item.tags.join(', '));
  document.getElementById('item-title')?.append(item.title);
  document.getElementById('missing')?.remove();
  form.hidden = false;
}
