const LANGUAGE_TAG = /^([a-z]{2,3})((?:[-_][a-z0-9]{2,8}){0,4})$/i;

/**
 * Returns a language tag such as `de_AT` or `DE-AT` in the form of HTML, such as `de-AT`. The language has lower-case
 * letters, because lists are filtered by it. Returns undefined if the text is not a language tag.
 */
export function languageTagIn(text: string): string | undefined {
  const [, language, rest = ''] = LANGUAGE_TAG.exec(text.trim()) ?? [];
  return language && `${language.toLowerCase()}${rest.replaceAll('_', '-')}`;
}

const RIGHT_TO_LEFT = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm', 'Rohg', 'Mand']);

/** Returns true if the language of the BCP 47 tag is written from right to left. */
export const isRightToLeft = (language: string | undefined): boolean =>
  language !== undefined && RIGHT_TO_LEFT.has(new Intl.Locale(language).maximize().script ?? '');
