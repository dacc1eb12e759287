interface LanguageFacts {
  /** The name of the language in the language itself. */
  readonly name: string;
  /** The locale of dates, numbers and lists. British English writes dates as `3 May 2026`. */
  readonly locale: string;
}

/** The languages of the service. Each key is the name of a file in `messages/`. */
const FACTS = {
  en: { name: 'English', locale: 'en-GB' },
  ar: { name: 'العربية', locale: 'ar' },
  de: { name: 'Deutsch', locale: 'de-DE' },
  es: { name: 'Español', locale: 'es-ES' },
  fr: { name: 'Français', locale: 'fr-FR' },
  it: { name: 'Italiano', locale: 'it-IT' },
  ja: { name: '日本語', locale: 'ja-JP' },
  nl: { name: 'Nederlands', locale: 'nl-NL' },
  pl: { name: 'Polski', locale: 'pl-PL' },
  'pt-BR': { name: 'Português (Brasil)', locale: 'pt-BR' },
  uk: { name: 'Українська', locale: 'uk-UA' },
  'zh-CN': { name: '简体中文', locale: 'zh-CN' },
} as const satisfies Record<string, LanguageFacts>;

/** A language of the service, as a BCP 47 tag. */
export type Language = keyof typeof FACTS;

/** The language of people whose language the service does not know. */
export const DEFAULT_LANGUAGE = 'en' satisfies Language;

export const isLanguage = (tag: string): tag is Language => Object.hasOwn(FACTS, tag);

export const LANGUAGES: readonly Language[] = Object.keys(FACTS).filter(isLanguage);

/**
 * English with longer and marked texts, which shows the texts that are not translated (pseudo-messages.ts). Browsers
 * that request this language get it. Users cannot choose it.
 */
export const PSEUDO_LANGUAGE = 'en-XA';

/** A language of texts. */
export type TextLanguage = Language | typeof PSEUDO_LANGUAGE;

export const isTextLanguage = (tag: string): tag is TextLanguage =>
  isLanguage(tag) || tag === PSEUDO_LANGUAGE;

/** Returns the language with this tag, or the default language. */
export const languageIn = (tag: string | null | undefined): Language =>
  tag !== null && tag !== undefined && isLanguage(tag) ? tag : DEFAULT_LANGUAGE;

export const languageName = (language: Language): string => FACTS[language].name;

export const localeOf = (language: TextLanguage): string =>
  isLanguage(language) ? FACTS[language].locale : language;
