/** The place of a value in a text, such as `{{count}}`. */
const VALUE = /\{\{(\w+)\}\}/g;

/** The language of the texts. The service replaces the key of a text with the text (script-texts.ts). @type {string} */
export const language = t('scripts.language');

const plurals = new Intl.PluralRules(language);

/**
 * Returns the text of a message. The value `count` selects the plural form, as in `translator.ts` of the service.
 * @param {import('./script-key.js').ScriptKey | Readonly<Record<string, string>>} text the key of a text, which the
 * service has replaced with the text or its plural forms
 * @param {Readonly<Record<string, string | number>>} [values]
 * @returns {string}
 */
export function t(text, values = {}) {
  const form = typeof text === 'string' ? text : text[plurals.select(Number(values['count']))];
  return (form ?? '').replaceAll(VALUE, (_, /** @type {string} */ name) =>
    String(values[name] ?? ''),
  );
}
