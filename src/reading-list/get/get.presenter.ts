import type { DialectRules } from '../dialect-rules.js';
import type { ItemRow } from '../entities/item.entity.js';
import type { AnnotationsByItem } from '../list/annotation.repository.js';
import type { ItemsFound, Tombstone } from '../query/items-wanted.js';
import type { PassagesByItem } from '../texts/passages.service.js';
import { annotationOfNote, type ShownAnnotation } from './annotation.presenter.js';
import { CHUNK, type FetchRequest, FIRST_CHUNK } from './fetch.request.js';
import type { GetQuery } from './get.request.js';
import { type ItemResponse, PresentedItem, type ShownItem } from './item.presenter.js';
import { itemJson } from './item-json.js';
import type { Keyed } from './page.presenter.js';

/** The result of a `/v3/get` call. */
export interface FoundItems extends ItemsFound {
  /** True if the items are the changes after `filter.since`. False if the items are the whole list. */
  readonly isDelta: boolean;
  /** The names of all tags. Undefined if the call does not request them. */
  readonly tagNames?: readonly string[];
  /** The annotations of the items. Undefined if the call does not request them. */
  readonly annotations?: AnnotationsByItem;
  /** The passages of the articles in which the search text occurs. */
  readonly passages?: PassagesByItem;
}

export interface DeletedItemResponse {
  readonly item_id: string;
  readonly status: '2';
  readonly listen_duration_estimate: 0;
}

interface SearchMetaResponse {
  readonly search_type: 'normal';
  readonly total_result_count?: number;
  readonly count?: number;
  readonly offset?: number;
  readonly has_more?: boolean;
}

/** The response of `/v3/get` (docs/api/get.md). JSON omits undefined properties. */
export interface GetResponse {
  readonly status: 1 | 2;
  readonly complete: 0 | 1;
  /**
   * The items keep their order, because JavaScript sorts only numeric keys below 2^32, and item ids are larger
   * (docs/decisions/0016).
   */
  readonly list: Keyed<ItemResponse | DeletedItemResponse>;
  readonly error: null;
  readonly search_meta: SearchMetaResponse;
  readonly maxActions: 30;
  readonly cachetype: 'db';
  readonly total: string | undefined;
  readonly tags: readonly string[] | undefined;
  readonly since: number;
}

export function presentGet(found: FoundItems, query: GetQuery, rules: DialectRules): GetResponse {
  const items = shownItems(found, query).map((shown) => new PresentedItem(shown));
  const list = [...items, ...found.tombstones.map(presentTombstone)];
  return {
    ...presentStatus(found, rules),
    list: Object.fromEntries(list.map((item) => [item.item_id, item])),
    ...presentRest(found, query),
    since: found.since,
  };
}

/** Returns the response of `presentGet` as JSON, without `since`. */
export function presentGetJson(found: FoundItems, query: GetQuery, rules: DialectRules): string {
  const items = shownItems(found, query).map(
    (shown) => `"${shown.row.item_id}":${itemJson(shown)}`,
  );
  const deleted = found.tombstones.map(
    (one) => `"${one.item_id}":${JSON.stringify(presentTombstone(one))}`,
  );
  const status = JSON.stringify(presentStatus(found, rules)).slice(0, -1);
  const rest = JSON.stringify(presentRest(found, query)).slice(1);
  return `${status},"list":{${[...items, ...deleted].join(',')}},${rest}`;
}

const presentStatus = (
  { isDelta, rows, tombstones }: FoundItems,
  rules: DialectRules,
): Pick<GetResponse, 'status' | 'complete'> => ({
  status: rows.length + tombstones.length === 0 ? rules.emptyListStatus : 1,
  complete: isDelta ? 0 : 1,
});

function presentRest(
  found: FoundItems,
  query: GetQuery,
): Omit<GetResponse, 'status' | 'complete' | 'list' | 'since'> {
  return {
    error: null,
    search_meta: presentSearch(found, query),
    maxActions: 30,
    cachetype: 'db',
    total: found.total === undefined ? undefined : String(found.total),
    tags: found.tagNames,
  };
}

const shownItems = (
  { rows, annotations, passages }: FoundItems,
  { detail }: GetQuery,
): readonly ShownItem[] =>
  rows.map((row, sortId) => ({
    row,
    sortId,
    shows: detail,
    annotations: annotations && shownOf(row, annotations),
    passage: passages?.get(row.item_id),
  }));

/**
 * Returns the annotations of an item and its note. Returns undefined instead of an empty list, because typed clients
 * fail on an empty list.
 */
function shownOf(
  row: ItemRow,
  annotations: AnnotationsByItem,
): readonly ShownAnnotation[] | undefined {
  const note = annotationOfNote(row);
  const highlights = annotations.get(row.item_id);
  return note === undefined ? highlights : [note, ...(highlights ?? [])];
}

const presentTombstone = ({ item_id }: Tombstone): DeletedItemResponse => ({
  item_id,
  status: '2',
  listen_duration_estimate: 0,
});

/**
 * Returns the search fields of a response. The number of results is included only if the call requests the total,
 * because an additional count of the items would take time.
 */
const presentSearch = ({ total }: FoundItems, { filter, page }: GetQuery): SearchMetaResponse =>
  (filter.search ?? filter.text) === undefined || total === undefined
    ? { search_type: 'normal' }
    : {
        search_type: 'normal',
        total_result_count: total,
        count: page.count,
        offset: page.offset,
        has_more: page.offset + page.count < total,
      };

/**
 * The response of `/v3/fetch`. It contains the response of `/v3/get`, and the values that the client needs for its next
 * call (docs/api/fetch.md).
 */
export interface FetchResponse extends GetResponse {
  readonly passthrough: {
    readonly firstChunkSize: string;
    readonly fetchChunkSize: string;
    readonly chunk: string;
  };
  /** This array and the next two are always empty, because Satchel has no sharing. Pocket's app fails without them. */
  readonly recent_friends?: readonly never[];
  readonly auto_complete_emails?: readonly never[];
  readonly unconfirmed_shares?: readonly never[];
}

export const presentFetch = (
  answer: GetResponse,
  { chunk = 0, shares }: FetchRequest,
): FetchResponse => ({
  ...answer,
  passthrough: {
    firstChunkSize: String(FIRST_CHUNK),
    fetchChunkSize: String(CHUNK),
    chunk: String(chunk),
  },
  ...(shares === true && { recent_friends: [], auto_complete_emails: [], unconfirmed_shares: [] }),
});

/** The response of `/v3/get` in the form that e-readers expect. */
type KoboGetResponse = Omit<GetResponse, 'total'> & { readonly total: number | undefined };

export const countedInNumbers = (answer: GetResponse): KoboGetResponse => ({
  ...answer,
  total: answer.total === undefined ? undefined : Number(answer.total),
});
