import { clean, cut } from '../../lib/util/clean-text.js';
import { defined } from '../../lib/util/defined.js';
import { isoSeconds } from '../../lib/util/iso-date.js';
import { languageTagIn } from '../../lib/util/language-tag.js';
import { parsedUrl } from '../../lib/util/parsed-url.js';

/** Data that a client sends about the page of an item. An undefined property means that the client did not send it. */
export interface PageDetails {
  /** The http or https URL of the page on which the user found the link. */
  readonly originUrl?: string;
  /** The time of publication in Unix seconds. It is negative for times before 1970. */
  readonly publishedAt?: number;
  readonly authors?: readonly string[];
  /** The language of the page, as a tag such as `de-AT`. */
  readonly language?: string;
  /** The http or https URL of the page's picture. */
  readonly previewPicture?: string;
}

/** Data about a page as text, before validation. Authors are separated by commas. */
type RawPageDetails = { readonly [K in keyof PageDetails]?: string | undefined };

/** Returns the valid data about a page. Ignores invalid values, as wallabag does. */
export const parsePageDetails = (raw: RawPageDetails): PageDetails =>
  defined<PageDetails>({
    originUrl: webAddressIn(raw.originUrl),
    publishedAt: publicationTimeIn(raw.publishedAt),
    authors: authorNamesIn(raw.authors),
    language: languageTagIn(raw.language ?? ''),
    previewPicture: webAddressIn(raw.previewPicture),
  });

const MAX_ADDRESS_BYTES = 4096;
const WEB_ADDRESS = /^https?:\/\/[^/]/i;

function webAddressIn(text = ''): string | undefined {
  const address = clean(text).trim();
  const isValid =
    WEB_ADDRESS.test(address) &&
    Buffer.byteLength(address) <= MAX_ADDRESS_BYTES &&
    parsedUrl(address) !== undefined;
  return isValid ? address : undefined;
}

const UNIX_SECONDS = /^-?\d{1,12}$/;
/**
 * Matches a date such as `Tue, 14 Nov 2023 22:13:20 +0000` (RFC 2822). The zone is required, because Date.parse would
 * otherwise use the time zone of this machine.
 */
const RFC_2822 =
  /^(?:[a-z]{3}, ?)?\d{1,2} [a-z]{3} \d{4} \d\d:\d\d(?::\d\d)? (?:[+-]\d{4}|GMT|UTC?|Z)$/i;
/** The bounds of valid times: the years 0 to 9999, which have four digits. */
const FIRST_SECOND = Date.parse('0000-01-01T00:00:00Z') / 1000;
const LAST_SECOND = Date.parse('9999-12-31T23:59:59Z') / 1000;

function publicationTimeIn(text = ''): number | undefined {
  const seconds = secondsIn(text.trim());
  // wallabag treats the time 0 as missing, because PHP's `empty` returns true for 0.
  return seconds >= FIRST_SECOND && seconds <= LAST_SECOND && seconds !== 0 ? seconds : undefined;
}

function secondsIn(text: string): number {
  if (UNIX_SECONDS.test(text)) {
    return Number(text);
  }
  return RFC_2822.test(text) ? Date.parse(text) / 1000 : isoSeconds(text);
}

const MAX_AUTHORS = 20;
const MAX_AUTHOR_LENGTH = 200;

/**
 * Returns the names of the authors. Returns undefined instead of an empty list, because an empty list would hide the
 * authors of the page.
 */
function authorNamesIn(text = ''): readonly string[] | undefined {
  const names = text
    .split(',', MAX_AUTHORS)
    .map((name) => cut(clean(name).replaceAll(/\s+/g, ' ').trim(), MAX_AUTHOR_LENGTH))
    .filter((name) => name !== '');
  return names.length === 0 ? undefined : [...new Set(names)];
}
