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
import { readAddress, readDomain, readTagFilter } from '../list-param-readers.js';
import type {
  ItemFilter,
  ItemOrder,
  ItemsWanted,
  KnownSince,
  PageOfItems,
  TimeOrder,
} from '../query/items-wanted.js';
import { GET_PARAMS } from './get.parameters.js';

/** The names that clients use for the states. `all` does not filter. */
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

/** The original answered `longest` and `shortest` with the newest first, and also `relevance` without a search. */
const ORDERS: Readonly<Record<string, ItemOrder | 'relevance'>> = {
  newest: 'newest',
  oldest: 'oldest',
  title: 'title',
  site: 'site',
  relevance: 'relevance',
  longest: 'newest',
  shortest: 'newest',
};

const DETAIL_TYPES = { simple: 'simple', complete: 'complete' } as const;

/** The fields that `complete` adds to each item, and whether the answer shows them. */
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

/** A call of get: the items to find, and the fields to show. */
export interface GetQuery extends ItemsWanted {
  readonly timeOrder: TimeOrder;
  readonly withTotal: boolean;
  readonly withNotes: boolean;
  readonly detail: ItemDetail;
  readonly withAnnotations: boolean;
  /** When to return the names of all tags: always, or only if one changed since `filter.since`. */
  readonly wantsTagList: 'changed' | 'always' | undefined;
}

/** Extends a delta by the items that have another state than the requested one, and by every deletion. */
export const withWholeDelta = (query: GetQuery): GetQuery => ({
  ...query,
  filter: { ...query.filter, wholeDelta: true },
});

const MAX_SEARCH_LENGTH = 256;

const MAX_OFFSET = 2 ** 31;

/** Above the limit of every dialect. Larger counts are reduced to this value. */
const MANY = 1_000_000;

/** The parameters of get (specification, "POST /v3/get"), and the parameters of the original that change its answer. */
export class GetRequest {
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
   * Returns the query, without `since` if the changes after it are unknown. The answer is then the whole list
   * (docs/decisions/0033). `itemAtUrl` is the id of the item at `url`.
   */
  toQuery(rules: DialectRules, known: KnownSince, itemAtUrl?: string): GetQuery {
    const filter = this.filter(known, itemAtUrl);
    const sort = this.sort ?? 'relevance';
    const isRanked = sort === 'relevance';
    const detail = this.detail();
    return {
      filter,
      order: isRanked ? 'newest' : sort,
      ...(isRanked && this.q !== undefined && { isRanked }),
      timeOrder: rules.timeOrder(filter),
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

  private page({ maxCount, defaultCount }: DialectRules): PageOfItems {
    // A client that has never synchronised may send 0.
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

/**
 * Returns a request for whole deltas. Kobo's firmware asks for unread articles, but learns from archived items and
 * stubs which articles have left the list.
 */
export const askingForWholeDelta = (request: GetRequest): Pick<GetRequest, 'toQuery' | 'url'> => ({
  ...defined({ url: request.url }),
  toQuery: (...parameters) => withWholeDelta(request.toQuery(...parameters)),
});
