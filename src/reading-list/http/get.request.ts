import { defined } from '../../common/defined.js';
import {
  Wire,
  WireChoice,
  WireFlag,
  WireId,
  WireInteger,
  WireText,
  WireTimestampOrDate,
} from '../../common/http/wire.js';
import type { ItemFilter, ItemOrder, KnownSince, PageOfItems } from '../list/item-filter.js';
import type { DialectRules } from './dialect-rules.js';
import { CONTENT_TYPES, DETAIL_TYPES, ORDERS, STATES } from './get.choices.js';
import { GET_MEMBERS } from './get.members.js';
import type { GetQuery } from './get-query.js';
import { COMPLETE, type ItemDetail } from './item-detail.js';
import { readDomain, readTagFilter } from './narrowing-readers.js';

const MAX_SEARCH_LENGTH = 256;
const MAX_OFFSET = 2 ** 31;
/** More than any dialect allows; counts above it are taken for it. */
const MANY = 1_000_000;

/** The members of get (specification, "POST /v3/get"), and those of the original that change its answer. */
export class GetRequest {
  @WireChoice(STATES, GET_MEMBERS.state)
  state?: ItemFilter['state'];

  @WireFlag(GET_MEMBERS.favorite)
  favorite?: boolean;

  @Wire(readTagFilter, GET_MEMBERS.tag)
  tag?: NonNullable<ItemFilter['tag']>;

  @WireChoice(CONTENT_TYPES, GET_MEMBERS.contentType)
  contentType?: ItemFilter['contentType'];

  @WireChoice(ORDERS, GET_MEMBERS.sort)
  sort?: ItemOrder;

  @WireChoice(DETAIL_TYPES, GET_MEMBERS.detailType)
  detailType?: keyof typeof DETAIL_TYPES;

  @WireText({ max: MAX_SEARCH_LENGTH }, GET_MEMBERS.search)
  search?: string;

  @Wire(readDomain, GET_MEMBERS.domain)
  domain?: string;

  @WireTimestampOrDate(GET_MEMBERS.since)
  since?: number;

  @WireTimestampOrDate(GET_MEMBERS.updatedBefore)
  updatedBefore?: number;

  @WireInteger({ min: 1, max: MANY, clamp: true }, GET_MEMBERS.count)
  count?: number;

  @WireInteger({ min: 0, max: MAX_OFFSET }, GET_MEMBERS.offset)
  offset?: number;

  @WireFlag(GET_MEMBERS.total)
  total?: boolean;

  @WireFlag(GET_MEMBERS.taglist)
  taglist?: boolean;

  @WireFlag(GET_MEMBERS.forcetaglist)
  forcetaglist?: boolean;

  @WireFlag(GET_MEMBERS.tags)
  tags?: boolean;

  @WireFlag(GET_MEMBERS.authors)
  authors?: boolean;

  @WireFlag(GET_MEMBERS.images)
  images?: boolean;

  @WireFlag(GET_MEMBERS.videos)
  videos?: boolean;

  @WireFlag(GET_MEMBERS.meta)
  meta?: boolean;

  @WireFlag(GET_MEMBERS.annotations)
  annotations?: boolean;

  @WireFlag(GET_MEMBERS.hasAnnotations)
  hasAnnotations?: boolean;

  @WireId(GET_MEMBERS.item)
  item?: string;

  /** A `since` after which it is not known what changed is answered with the whole list (docs/decisions/0033). */
  toQuery(rules: DialectRules, known: KnownSince): GetQuery {
    const filter = this.filter(known);
    return {
      filter,
      order: this.sort ?? 'newest',
      timeOrder: rules.timeOrder(filter),
      page: this.page(rules),
      withTotal: this.total === true,
      detail: this.detail(),
      withAnnotations: this.annotations === true,
      wantsTagList: this.tagList(),
    };
  }

  private filter({ oldest, newest }: KnownSince): ItemFilter {
    const { since = 0 } = this;
    return defined<ItemFilter>({
      state: this.state,
      favorite: this.favorite,
      tag: this.tag,
      contentType: this.contentType,
      search: this.search,
      domain: this.domain,
      since: since < oldest || since > newest ? undefined : this.since,
      wholeFor: since > newest ? since : undefined,
      updatedBefore: this.updatedBefore,
      annotated: this.hasAnnotations,
      itemId: this.item,
    });
  }

  private page({ maxCount, defaultCount }: DialectRules): PageOfItems {
    // A client that has never synchronised may say so with 0.
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
        };
  }

  private tagList(): GetQuery['wantsTagList'] {
    if (this.forcetaglist === true) {
      return 'always';
    }
    return this.taglist === true ? 'changed' : undefined;
  }
}
