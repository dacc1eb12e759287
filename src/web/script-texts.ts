import { DEFAULT_LANGUAGE, type TextLanguage } from '../platform/i18n/languages.js';
import { messagesOf } from '../platform/i18n/message-files.js';

/** A text, or its plural forms, keyed by the names of `Intl.PluralRules`. */
type ScriptText = string | Readonly<Record<string, string>>;

/** The texts that scripts show, keyed by message key. */
export type ScriptTexts = ReadonlyMap<string, ScriptText>;

/** The key of the language of the texts, which selects the plural forms. It is not a message. */
export const LANGUAGE_KEY = 'scripts.language';

/** Matches a string in a script that is the key of a text. */
const TEXT_KEY = /(["'])(scripts\.\w+)\1/g;

/** Returns the texts that scripts show. Groups plural forms, such as `selected_one` and `selected_other`. */
export function scriptTextsIn(language: TextLanguage): ScriptTexts {
  const texts = new Map<string, ScriptText>();
  for (const [name, text] of [...textsOfScripts(DEFAULT_LANGUAGE), ...textsOfScripts(language)]) {
    const [key = '', form] = `scripts.${name}`.split('_');
    const forms = texts.get(key);
    texts.set(
      key,
      form === undefined ? text : { ...(typeof forms === 'object' ? forms : {}), [form]: text },
    );
  }
  return texts.set(LANGUAGE_KEY, language);
}

/** Returns the texts of a language with their names, such as `selected_one`. */
const textsOfScripts = (language: TextLanguage): [name: string, text: string][] =>
  Object.entries(messagesOf(language)['scripts'] ?? {}).flatMap(([name, text]) =>
    typeof text === 'string' ? [[name, text] satisfies [string, string]] : [],
  );

/** Writes a text as a JavaScript literal. The names of plural forms need no quotes. */
const literalOf = (text: ScriptText): string =>
  typeof text === 'string'
    ? JSON.stringify(text)
    : `{${Object.entries(text)
        .map(([form, one]) => `${form}:${JSON.stringify(one)}`)
        .join()}}`;

/**
 * Replaces the keys of texts in a script with the texts. A page then loads only the texts of its scripts.
 * @throws Error if a text does not exist
 */
export const withTexts = (source: string, texts: ScriptTexts): string =>
  source.replaceAll(TEXT_KEY, (_, _quote, key: string) => {
    const text = texts.get(key);
    if (text === undefined) {
      throw new Error(`the text ${key} does not exist`);
    }
    return literalOf(text);
  });
