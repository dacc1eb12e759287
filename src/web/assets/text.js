import { language, messages } from './messages.js';

/** The place of a value in a text, such as `{{count}}`. */
const VALUE = /\{\{(\w+)\}\}/g;

const plurals = new Intl.PluralRules(language);

/**
 * Returns the text of a message. The value `count` selects the plural form, as in `translator.ts` of the service.
 * @param {import('./messages.js').ScriptKey} key
 * @param {Readonly<Record<string, string | number>>} [values]
 */
export function t(key, values = {}) {
  const { count } = values;
  const plural = typeof count === 'number' ? `${key}_${plurals.select(count)}` : key;
  const text = messages[plural] ?? messages[key] ?? key;
  return text.replaceAll(VALUE, (_, /** @type {string} */ name) => String(values[name] ?? ''));
}
