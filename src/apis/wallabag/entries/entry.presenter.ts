import { escapeUTF8 } from 'entities';

import type { StoredDetails } from '../../../reading-list/details/tracked-details.js';
import type { Annotation } from '../../../reading-list/entities/annotation.entity.js';
import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import { mediaOf } from '../../../reading-list/get/page.presenter.js';
import { hostOf } from '../../../reading-list/list/address.js';
import { shownTitle } from '../../../reading-list/list/item-texts.js';
import { type AnnotationResponse, presentAnnotation } from '../annotations/annotation.presenter.js';
import type { TagResponse } from '../tags/tag.presenter.js';
import type { WallabagUser } from '../wallabag.guard.js';
import { formatWallabagDate } from '../wire/wallabag-answers.js';
import { hashedUrl, nameOf, urlOf } from './entry-addresses.js';
import { dateOrNull, formatSeconds } from './entry-dates.js';

/** An item with all columns that responses of the wallabag API show. */
export interface EntryRow extends ItemRow {
  /** The number that clients use as the id of the entry. */
  readonly number: number;
  /** The list version at which the item last changed, as decimal text. List versions are times in Unix seconds. */
  readonly version: string;
}

/** The data about a stored page that an entry in a response shows. */
export interface EntryPage {
  readonly mimeType: string;
  readonly responseCode: number;
  /** The publication date in ISO 8601 format, in UTC. */
  readonly datePublished: string | null;
}

/** The data of an entry that are not columns of the item. */
export interface EntryParts {
  readonly user: WallabagUser;
  readonly tags: readonly TagResponse[];
  readonly annotations: readonly Annotation[];
  /** The stored page. Undefined until the page is fetched. */
  readonly page: EntryPage | undefined;
  /** The HTTP status of the last fetch if the page could not be fetched. */
  readonly failureStatus?: number | undefined;
  /** Data about the page that clients have sent, such as its language. Undefined if no client has sent any. */
  readonly details?: StoredDetails | undefined;
  /** The secret part of the public link. Undefined if the item is not public. */
  readonly uid?: string | undefined;
  /** The article as HTML. Null if the client does not request the text. */
  readonly content: string | null;
}

/** The properties of an entry about its owner, its state and its tags. */
interface StateMembers {
  readonly is_archived: number;
  readonly is_starred: number;
  readonly user_name: string;
  readonly user_email: string;
  readonly user_id: number;
  readonly tags: readonly TagResponse[];
  readonly is_public: boolean;
  readonly id: number;
  readonly uid: string | null;
}

interface AddressMembers {
  readonly title: string;
  readonly url: string;
  readonly hashed_url: string;
  readonly origin_url: string | null;
  readonly given_url: string;
  readonly hashed_given_url: string;
}

interface TextMembers {
  readonly archived_at: string | null;
  readonly content: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly published_at: string | null;
  readonly published_by: readonly string[] | null;
  readonly starred_at: string | null;
  readonly annotations: readonly AnnotationResponse[];
}

interface PageMembers {
  readonly mimetype: string | null;
  readonly language: string | null;
  readonly reading_time: number;
  readonly domain_name: string | null;
  readonly preview_picture: string | null;
  readonly http_status: string | null;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly _links: { readonly self: { readonly href: string } };
}

/**
 * An entry in responses of the wallabag API. Clients check the types strictly, so a property may be
 * null only if its type allows null.
 */
export type EntryResponse = StateMembers & AddressMembers & TextMembers & PageMembers;

export const presentEntry = (row: EntryRow, parts: EntryParts): EntryResponse => ({
  ...presentState(row, parts),
  ...presentAddresses(row, parts),
  ...presentText(row, parts),
  ...presentPage(row, parts),
});

const presentState = (row: EntryRow, { user, tags, uid }: EntryParts): StateMembers => ({
  is_archived: row.status,
  is_starred: row.favorite,
  user_name: user.name,
  user_email: user.email,
  user_id: user.id,
  tags,
  is_public: uid !== undefined,
  id: row.number,
  uid: uid ?? null,
});

function presentAddresses(row: EntryRow, { details }: EntryParts): AddressMembers {
  const url = urlOf(row);
  return {
    title: titleOf(row),
    url,
    hashed_url: hashedUrl(url),
    origin_url: details?.originUrl ?? null,
    given_url: row.given_url,
    hashed_given_url: hashedUrl(row.given_url),
  };
}

/** Returns the title from the user or from the page. If both are missing, returns a name from the URL. */
export const titleOf = (row: ItemRow): string =>
  shownTitle({
    givenUrl: '',
    givenTitle: row.given_title,
    prefersGivenTitle: row.prefers_given_title,
    resolvedTitle: row.resolved_title,
  }) || nameOf(row);

function presentText(row: EntryRow, parts: EntryParts): TextMembers {
  const { user, annotations, content } = parts;
  const published = publicationDateOf(parts);
  const authors = mediaOf(row).authors.map(({ name }) => name);
  return {
    archived_at: row.status === 1 ? dateOrNull(row.time_read) : null,
    content,
    created_at: formatSeconds(row.time_added),
    updated_at: formatSeconds(row.version),
    published_at: published === undefined ? null : formatWallabagDate(published),
    published_by: authors.length === 0 ? null : authors,
    starred_at: row.favorite === 1 ? dateOrNull(row.time_favorited) : null,
    annotations: annotations.map((one) => presentAnnotation(one, user.name)),
  };
}

function publicationDateOf({ details, page }: EntryParts): Date | undefined {
  const said = details?.publishedAt ?? null;
  if (said !== null) {
    return new Date(Number(said) * 1000);
  }
  const found = page?.datePublished ?? null;
  return found === null ? undefined : new Date(found);
}

/**
 * Returns the HTTP status of an entry's page as text. If a client sent the page, the status is 200, as in wallabag.
 * Returns null for the stored value 0, which means that the website did not respond.
 */
function statusOf({ page, failureStatus = 0 }: EntryParts): string | null {
  const status = page?.responseCode ?? failureStatus;
  return status === 0 ? null : String(status);
}

const WORDS_A_MINUTE = 200;
const WEB_ADDRESS = /^https?:\/\/./i;

function presentPage(row: EntryRow, parts: EntryParts): PageMembers {
  const { page } = parts;
  const mimetype = page === undefined ? null : page.mimeType || 'text/html';
  return {
    mimetype,
    language: languageOf(row.lang),
    reading_time: Math.floor(row.word_count / WORDS_A_MINUTE),
    domain_name: hostOf(urlOf(row)) ?? null,
    preview_picture: WEB_ADDRESS.test(row.top_image_url) ? row.top_image_url : null,
    http_status: statusOf(parts),
    headers: mimetype === null ? null : { 'content-type': mimetype },
    _links: { self: { href: `/api/entries/${row.number}` } },
  };
}

const LANGUAGE_TAG = /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/i;
const REGION_LENGTH = 2;

/** Converts a language tag such as `de-at` to the form `de_AT`. Returns null if the text is not a language tag. */
function languageOf(lang: string): string | null {
  if (!LANGUAGE_TAG.test(lang)) {
    return null;
  }
  const [language = '', ...rest] = lang.split(/[-_]/);
  const subtags = rest.map((one) => (one.length === REGION_LENGTH ? one.toUpperCase() : one));
  return [language.toLowerCase(), ...subtags].join('_');
}

/** Returns a notice in place of the text of a page that is not fetched yet or has no article. */
export function noteOf(row: ItemRow, { isFetched, isWaiting }: PageState): string {
  const note = isFetched ? NO_ARTICLE : isWaiting ? WAITING : UNREADABLE;
  const excerpt = row.excerpt === '' ? '' : `<p>${escapeUTF8(row.excerpt)}</p>`;
  return `${excerpt}<p>${note}</p>`;
}

interface PageState {
  readonly isFetched: boolean;
  /** True if the page is queued, or is being fetched or parsed. */
  readonly isWaiting: boolean;
}

const NO_ARTICLE = 'No text was found on this page.';
const WAITING = 'This page is being read.';
const UNREADABLE = 'This page could not be read.';
