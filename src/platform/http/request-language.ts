import type { Request } from 'express';

import {
  DEFAULT_LANGUAGE,
  isLanguage,
  type Language,
  languageIn,
  LANGUAGES,
  PSEUDO_LANGUAGE,
  type TextLanguage,
} from '../i18n/languages.js';

const OFFERED: readonly TextLanguage[] = [...LANGUAGES, PSEUDO_LANGUAGE];
/** The maximum length of the header that is read. Browsers send at most 200 characters. */
const LONGEST_HEADER = 500;

/** The languages that the users of requests have chosen in their settings. */
const chosen = new WeakMap<Request, Language>();

/** Uses the language setting of the user for the response. Null if the language of the browser decides. */
export function chooseLanguage(request: Request, language: string | null): void {
  if (language !== null && isLanguage(language)) {
    chosen.set(request, language);
  } else {
    chosen.delete(request);
  }
}

/** Returns true if the language of the response depends on the header `Accept-Language`. */
export const isNegotiated = (request: Request): boolean => !chosen.has(request);

/** Returns the tags of the languages that the browser accepts, the preferred one first (RFC 9110 section 12.5.4). */
const acceptedTags = (request: Request): readonly string[] =>
  (request.get('Accept-Language') ?? '').length > LONGEST_HEADER
    ? []
    : request.acceptsLanguages().filter((tag) => tag !== '*');

const primaryOf = (tag: string): string => tag.split('-', 1).join('').toLowerCase();

/** Returns the offered language with this tag, or with the same primary language, such as `pt-BR` for `pt-PT`. */
const offerFor = (tag: string): TextLanguage | undefined =>
  OFFERED.find((language) => language.toLowerCase() === tag.toLowerCase()) ??
  OFFERED.find((language) => primaryOf(language) === primaryOf(tag));

/** The languages that the browsers of requests prefer, because a page needs the language several times. */
const negotiated = new WeakMap<Request, TextLanguage>();

function negotiatedLanguage(request: Request): TextLanguage {
  const known = negotiated.get(request);
  if (known !== undefined) {
    return known;
  }
  const [preferred = DEFAULT_LANGUAGE] = acceptedTags(request).flatMap(
    (tag) => offerFor(tag) ?? [],
  );
  negotiated.set(request, preferred);
  return preferred;
}

/** Returns the language of the response: the choice of the user, or the language that the browser prefers. */
export const requestLanguage = (request: Request): TextLanguage =>
  chosen.get(request) ?? negotiatedLanguage(request);

/**
 * Returns the language that the browser prefers, as it is stored for a user. Returns undefined for a client that names
 * no language.
 */
export function browserLanguage(request: Request): Language | undefined {
  return acceptedTags(request).length === 0 ? undefined : languageIn(negotiatedLanguage(request));
}
