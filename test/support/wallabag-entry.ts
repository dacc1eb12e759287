import type { EntryResponse } from '../../src/apis/wallabag/entries/entry.presenter.js';

/** Accepts values that the strictest client of each member accepts (Moshi, serde, Go, Swift and LuaJIT combined). */
type Check = (value: unknown) => boolean;

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/;
const LARGEST = 2 ** 31 - 1;

const isText: Check = (value) => typeof value === 'string';
const isFilled: Check = (value) => typeof value === 'string' && value.trim() !== '';
const isBit: Check = (value) => value === 0 || value === 1;
const isBoolean: Check = (value) => typeof value === 'boolean';
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0;
const isNumber: Check = (value) => isCount(value) && Number(value) >= 1 && Number(value) <= LARGEST;
const isDate: Check = (value) => typeof value === 'string' && DATE.test(value);
const isHash: Check = (value) => typeof value === 'string' && /^[\da-f]{40}$/.test(value);
const isWebAddress: Check = (value) =>
  typeof value === 'string' && /^https?:\/\/[^/]/.test(value) && URL.canParse(value);

const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

/** An object with exactly these members, in this order. */
const shaped =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) =>
    problemsIn(value, members).length === 0;

const isObjectOfTexts: Check = (value) =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every(orNull(isText));

const TAG = { id: isNumber, label: isFilled, slug: (value: unknown) => /^t:./.test(String(value)) };

const RANGE = { start: isText, startOffset: isCount, end: isText, endOffset: isCount };

const ANNOTATION = {
  ...{ user: isText, annotator_schema_version: isText, id: isNumber, text: isText },
  ...{ created_at: isDate, updated_at: isDate, quote: isText, ranges: listOf(shaped(RANGE)) },
};

const ENTRY: Readonly<Record<string, Check>> = {
  is_archived: isBit,
  is_starred: isBit,
  user_name: isFilled,
  user_email: isFilled,
  user_id: isNumber,
  tags: listOf(shaped(TAG)),
  is_public: isBoolean,
  id: isNumber,
  uid: orNull(isText),
  title: isFilled,
  url: isFilled,
  hashed_url: isHash,
  origin_url: orNull(isText),
  given_url: isFilled,
  hashed_given_url: isHash,
  archived_at: orNull(isDate),
  content: orNull(isText),
  created_at: isDate,
  updated_at: isDate,
  published_at: orNull(isDate),
  published_by: orNull(listOf(isText)),
  starred_at: orNull(isDate),
  annotations: listOf(shaped(ANNOTATION)),
  mimetype: orNull(isText),
  language: orNull((value) => /^[a-z]{2,3}(_[A-Za-z0-9]{2,8})*$/.test(String(value))),
  reading_time: isCount,
  domain_name: orNull(isFilled),
  preview_picture: orNull(isWebAddress),
  http_status: orNull((value) => typeof value === 'string' && /^\d{3}$/.test(value)),
  headers: orNull(isObjectOfTexts),
  _links: shaped({ self: shaped({ href: isFilled }) }),
};

const LINK = shaped({ href: isWebAddress });

function problemsIn(value: unknown, members: Readonly<Record<string, Check>>): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [`no object: ${JSON.stringify(value)}`];
  }
  const names = Object.keys(members);
  const order =
    names.join() === Object.keys(value).join() ? [] : [`members: ${Object.keys(value).join()}`];
  const wrong = names
    .filter((name) => members[name]?.(Reflect.get(value, name)) !== true)
    .map((name) => `${name}: ${JSON.stringify(Reflect.get(value, name))}`);
  return [...order, ...wrong];
}

/** Parses an entry as the strictest client does. Fails the test if that client would fail. */
export function strictEntry(value: unknown): EntryResponse {
  expect(problemsIn(value, ENTRY)).toEqual([]);
  return value as EntryResponse;
}

/** Validates a tag in an answer. */
export function strictTag(value: unknown): { id: number; label: string; slug: string } {
  expect(problemsIn(value, TAG)).toEqual([]);
  return value as { id: number; label: string; slug: string };
}

/** Validates an annotation in an answer. */
export function strictAnnotation(value: unknown): EntryResponse['annotations'][number] {
  expect(problemsIn(value, ANNOTATION)).toEqual([]);
  return value as EntryResponse['annotations'][number];
}

/** A page of a list. */
export interface StrictList {
  readonly page: number;
  readonly limit: number;
  readonly pages: number;
  readonly total: number;
  readonly _links: Readonly<Record<string, { readonly href: string }>>;
  readonly items: readonly EntryResponse[];
}

/** Validates a page of a list. Its entries must satisfy the strictest client. */
export function strictList(value: unknown): StrictList {
  const links = (one: unknown): boolean =>
    typeof one === 'object' &&
    one !== null &&
    ['self', 'first', 'last'].every((name) => LINK(Reflect.get(one, name))) &&
    Object.values(one).every(LINK);
  const members = {
    ...{ page: isNumber, limit: isNumber, pages: isNumber, total: isCount, _links: links },
    _embedded: shaped({ items: listOf(() => true) }),
  };
  expect(problemsIn(value, members)).toEqual([]);
  const { _embedded, ...envelope } = value as Omit<StrictList, 'items'> & {
    _embedded: { items: unknown[] };
  };
  return { ...envelope, items: _embedded.items.map(strictEntry) };
}
