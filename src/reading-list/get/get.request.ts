import { defined } from '../../lib/util/defined.js';
import {
  ChoiceParam,
  CustomParam,
  FlagParam,
  IdParam,
  IntegerParam,
  TextParam,
  TimestampOrDateParam,
} from '../../pocket-api/params.js';
import type { DialectRules } from '../dialect-rules.js';
import type { Address } from '../list/address.js';
import {
  MAX_LIST_NAME_LENGTH,
  readAddress,
  readDomain,
  readTagFilter,
} from '../list-param-readers.js';
import { ITEM_ORDER_NAMES, type ItemOrder, type TimeOrder } from '../query/item-order.js';
import type { ItemFilter, ItemsWanted, KnownSince, PageOfItems } from '../query/items-wanted.js';
import { GET_PARAMS } from './get.parameters.js';
import { narrowedFilter } from './narrowed-filter.js';

/** The states of items, keyed by the names that clients send. `all` means no filter. */
const STATES: Readonly<Record<string, ItemFilter['state']>> = {
  unread: 'unread',
  queue: 'unread',
  archive: 'archive',
  read: 'archive',
  all: undefined,
};

const CONTENT_TYPES: Readonly<Record<string, ItemFilter['contentType']>> = {
  article: 'article',
  video: 'video',
  image: 'image',
  all: undefined,
};

/**
 * The sort orders of the list, keyed by the names that clients send. Like the original Pocket API, Satchel returns the
 * newest items first for `longest` and `shortest`, and for `relevance` without a search.
 */
const ORDERS: Readonly<Record<string, ItemOrder | 'relevance'>> = {
  ...Object.fromEntries(ITEM_ORDER_NAMES.map((name) => [name, name])),
  relevance: 'relevance',
  longest: 'newest',
  shortest: 'newest',
};

const DETAIL_TYPES = { simple: 'simple', complete: 'complete' } as const;

/**
 * The optional fields of an item in a response. A field is returned if its value is true. A request with
 * `detailType=complete` returns all of these fields.
 */
export interface ItemDetail {
  readonly tags: boolean;
  readonly authors: boolean;
  readonly images: boolean;
  readonly videos: boolean;
  readonly domainMetadata: boolean;
  readonly note: boolean;
}

export const COMPLETE: ItemDetail = {
  tags: true,
  authors: true,
  images: true,
  videos: true,
  domainMetadata: true,
  note: true,
};

/** The query of a `/v3/get` call: the items to find and the fields to return. */
export interface GetQuery extends ItemsWanted {
  readonly timeOrder: TimeOrder;
  readonly withTotal: boolean;
  readonly withNotes: boolean;
  readonly detail: ItemDetail;
  readonly withAnnotations: boolean;
  /**
   * Requests the names of all tags. `always` returns the names in every response, and `changed` only if a name has
   * changed since `filter.since`.
   */
  readonly wantsTagList: 'changed' | 'always' | undefined;
}

/** The results of the look-ups that a request needs. */
export interface LookedUp {
  /** The id of the item that was saved under the parameter `url`. */
  readonly itemAtUrl?: string | undefined;
  /** The items of the saved list that the parameter `list` names, and their order. */
  readonly list?: Omit<ItemsWanted, 'page'> | undefined;
}

/**
 * Returns a query for all changes since an earlier call, including deleted items and items in other
 * states than the requested one.
 */
export const withWholeDelta = (query: GetQuery): GetQuery => ({
  ...query,
  filter: { ...query.filter, wholeDelta: true },
});

const MAX_SEARCH_LENGTH = 256;

const MAX_OFFSET = 2 ** 31;

/**
 * Larger values of the parameter `count` are reduced to this value. The response format then
 * reduces them to its maximum page size.
 */
const MANY = 1_000_000;

/**
 * The parameters of `/v3/get` (specification of the v3 API, "POST /v3/get"). They include parameters of the original
 * Pocket API that change the response.
 */
export class GetRequest {
  @TextParam({ max: MAX_LIST_NAME_LENGTH }, GET_PARAMS.list)
  list?: string;

  @ChoiceParam(STATES, GET_PARAMS.state)
  state?: ItemFilter['state'];

  @FlagParam(GET_PARAMS.favorite)
  favorite?: boolean;

  @CustomParam(readTagFilter, GET_PARAMS.tag)
  tag?: NonNullable<ItemFilter['tag']>;

  @ChoiceParam(CONTENT_TYPES, GET_PARAMS.contentType)
  contentType?: ItemFilter['contentType'];

  @ChoiceParam(ORDERS, GET_PARAMS.sort)
  sort?: ItemOrder | 'relevance';

  @ChoiceParam(DETAIL_TYPES, GET_PARAMS.detailType)
  detailType?: keyof typeof DETAIL_TYPES;

  @TextParam({ max: MAX_SEARCH_LENGTH }, GET_PARAMS.search)
  search?: string;

  @TextParam({ max: MAX_SEARCH_LENGTH }, GET_PARAMS.q)
  q?: string;

  @CustomParam(readDomain, GET_PARAMS.domain)
  domain?: string;

  @TimestampOrDateParam(GET_PARAMS.since)
  since?: number;

  @TimestampOrDateParam(GET_PARAMS.updatedBefore)
  updatedBefore?: number;

  @IntegerParam({ min: 1, max: MANY, clamp: true }, GET_PARAMS.count)
  count?: number;

  @IntegerParam({ min: 0, max: MAX_OFFSET }, GET_PARAMS.offset)
  offset?: number;

  @FlagParam(GET_PARAMS.total)
  total?: boolean;

  @FlagParam(GET_PARAMS.taglist)
  taglist?: boolean;

  @FlagParam(GET_PARAMS.forcetaglist)
  forcetaglist?: boolean;

  @FlagParam(GET_PARAMS.tags)
  tags?: boolean;

  @FlagParam(GET_PARAMS.authors)
  authors?: boolean;

  @FlagParam(GET_PARAMS.images)
  images?: boolean;

  @FlagParam(GET_PARAMS.videos)
  videos?: boolean;

  @FlagParam(GET_PARAMS.meta)
  meta?: boolean;

  @FlagParam(GET_PARAMS.annotations)
  annotations?: boolean;

  @FlagParam(GET_PARAMS.hasAnnotations)
  hasAnnotations?: boolean;

  @IdParam(GET_PARAMS.item)
  item?: string;

  @CustomParam(readAddress, GET_PARAMS.url)
  url?: Address;

  /**
   * Returns the query. Ignores a `since` that is too old or in the future, so that the response
   * contains the whole list (docs/decisions/0033).
   */
  toQuery(rules: DialectRules, known: KnownSince, { itemAtUrl, list }: LookedUp = {}): GetQuery {
    const narrowing = this.filter(known, itemAtUrl);
    const filter = list === undefined ? narrowing : narrowedFilter(list.filter, narrowing);
    const detail = this.detail();
    return {
      filter,
      ...this.order(rules, filter, list),
      page: this.page(rules),
      withTotal: this.total === true,
      detail,
      withNotes: detail.note || this.annotations === true,
      withAnnotations: this.annotations === true,
      wantsTagList: this.tagList(),
    };
  }

  private filter({ oldest, newest }: KnownSince, itemAtUrl?: string): ItemFilter {
    const { since = 0 } = this;
    return defined<ItemFilter>({
      state: this.state,
      favorite: this.favorite,
      tag: this.tag,
      contentType: this.contentType,
      search: this.search,
      text: this.q,
      domain: this.domain,
      since: since < oldest || since > newest ? undefined : this.since,
      wholeFor: since > newest ? since : undefined,
      updatedBefore: this.updatedBefore,
      annotated: this.hasAnnotations,
      itemId: this.item ?? itemAtUrl,
    });
  }

  private order(
    rules: DialectRules,
    filter: ItemFilter,
    list: LookedUp['list'],
  ): Pick<GetQuery, 'order' | 'timeOrder' | 'isRanked'> {
    if (list !== undefined && this.sort === undefined) {
      return orderOfList(list, filter);
    }
    const sort = this.sort ?? 'relevance';
    const isRanked = sort === 'relevance';
    return {
      order: isRanked ? 'newest' : sort,
      ...(isRanked && filter.text !== undefined && { isRanked }),
      timeOrder: rules.timeOrder(filter),
    };
  }

  private page({ maxCount, defaultCount }: DialectRules): PageOfItems {
    // A client that has never synchronised may send a `since` of 0, which requests the whole list.
    const whenUnsaid = (this.since ?? 0) === 0 ? defaultCount.full : defaultCount.delta;
    return { count: Math.min(this.count ?? whenUnsaid, maxCount), offset: this.offset ?? 0 };
  }

  private detail(): ItemDetail {
    return this.detailType === 'complete'
      ? COMPLETE
      : {
          tags: this.tags === true,
          authors: this.authors === true,
          images: this.images === true,
          videos: this.videos === true,
          domainMetadata: this.meta === true,
          note: false,
        };
  }

  private tagList(): GetQuery['wantsTagList'] {
    if (this.forcetaglist === true) {
      return 'always';
    }
    return this.taglist === true ? 'changed' : undefined;
  }
}

/** Returns the order of a saved list. Changes are always sorted by the time of addition, as in all dialects. */
const orderOfList = (
  { order, isRanked = false, timeOrder = 'time_added' }: NonNullable<LookedUp['list']>,
  { since }: ItemFilter,
): Pick<GetQuery, 'order' | 'timeOrder' | 'isRanked'> => ({
  order,
  timeOrder: since === undefined ? timeOrder : 'time_added',
  ...(isRanked && { isRanked }),
});

/**
 * Returns a request for all changes. Kobo's firmware requests only unread articles, but it needs archived and deleted
 * items to see which articles left the list.
 */
export const askingForWholeDelta = (
  request: GetRequest,
): Pick<GetRequest, 'toQuery' | 'url' | 'list'> => ({
  ...defined({ url: request.url, list: request.list }),
  toQuery: (...parameters) => withWholeDelta(request.toQuery(...parameters)),
});
