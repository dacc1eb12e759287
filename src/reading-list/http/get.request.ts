import { defined } from '../../common/defined.js';
import {
  Wire,
  WireChoice,
  WireFlag,
  WireId,
  WireInteger,
  WireText,
  WireTimestamp,
} from '../../common/http/wire.js';
import type { ItemFilter, ItemOrder, PageOfItems } from '../list/item-filter.js';
import type { DialectRules } from './dialect-rules.js';
import { CONTENT_TYPES, DETAIL_TYPES, ORDERS, STATES } from './get.choices.js';
import type { GetQuery } from './get-query.js';
import { COMPLETE, type ItemDetail } from './item-detail.js';
import { readDomain, readTagFilter } from './narrowing-readers.js';

const MAX_SEARCH_LENGTH = 256;
const MAX_OFFSET = 2 ** 31;
/** More than any dialect allows; counts above it are taken for it. */
const MANY = 1_000_000;

/** The members of get (specification, "POST /v3/get"), and those of the original that change its answer. */
export class GetRequest {
  @WireChoice(STATES)
  state?: ItemFilter['state'];

  @WireFlag()
  favorite?: boolean;

  @Wire(readTagFilter)
  tag?: NonNullable<ItemFilter['tag']>;

  @WireChoice(CONTENT_TYPES)
  contentType?: ItemFilter['contentType'];

  @WireChoice(ORDERS)
  sort?: ItemOrder;

  @WireChoice(DETAIL_TYPES)
  detailType?: keyof typeof DETAIL_TYPES;

  @WireText({ max: MAX_SEARCH_LENGTH })
  search?: string;

  @Wire(readDomain)
  domain?: string;

  @WireTimestamp()
  since?: number;

  @WireTimestamp()
  updatedBefore?: number;

  @WireInteger({ min: 1, max: MANY, clamp: true })
  count?: number;

  @WireInteger({ min: 0, max: MAX_OFFSET })
  offset?: number;

  @WireFlag()
  total?: boolean;

  @WireFlag()
  taglist?: boolean;

  @WireFlag()
  forcetaglist?: boolean;

  @WireFlag()
  tags?: boolean;

  @WireFlag()
  authors?: boolean;

  @WireFlag()
  images?: boolean;

  @WireFlag()
  videos?: boolean;

  /** The name of the site, in the words of the original. */
  @WireFlag()
  meta?: boolean;

  @WireId()
  item?: string;

  /** A `since` before the oldest one is answered with the whole list (docs/decisions/0016). */
  toQuery(rules: DialectRules, oldestSince: number): GetQuery {
    const filter = this.filter(oldestSince);
    return {
      filter,
      order: this.sort ?? 'newest',
      timeOrder: rules.timeOrder(filter),
      page: this.page(rules),
      withTotal: this.total === true,
      detail: this.detail(),
      wantsTagList: this.tagList(),
    };
  }

  private filter(oldestSince: number): ItemFilter {
    return defined<ItemFilter>({
      state: this.state,
      favorite: this.favorite,
      tag: this.tag,
      contentType: this.contentType,
      search: this.search,
      domain: this.domain,
      since: (this.since ?? 0) < oldestSince ? undefined : this.since,
      updatedBefore: this.updatedBefore,
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
