import { defined } from '../../common/defined.js';
import { WireFlag, WireInteger, WireTimestampOrDate } from '../../common/http/wire.js';
import type { KnownSince } from '../list/item-filter.js';
import type { DialectRules } from './dialect-rules.js';
import { FETCH_MEMBERS } from './fetch.members.js';
import { GetRequest } from './get.request.js';
import { type GetQuery, withWholeDelta } from './get-query.js';

/** What the original's apps load first, so that there is something to see at once. */
export const FIRST_CHUNK = 25;
export const CHUNK = 250;
const LARGEST_CHUNK = 5000;
const MAX_OFFSET = 2 ** 31;

/** The members of fetch (docs/api/fetch.md); everything else that get can be asked for is fixed. */
export class FetchRequest {
  @WireInteger({ min: 0, max: MAX_OFFSET }, FETCH_MEMBERS.offset)
  offset?: number;

  @WireInteger({ min: 1, max: LARGEST_CHUNK, clamp: true }, FETCH_MEMBERS.count)
  count?: number;

  @WireInteger({ min: 0, max: MAX_OFFSET }, FETCH_MEMBERS.chunk)
  chunk?: number;

  @WireTimestampOrDate(FETCH_MEMBERS.since)
  since?: number;

  @WireTimestampOrDate(FETCH_MEMBERS.updatedBefore)
  updatedBefore?: number;

  @WireFlag(FETCH_MEMBERS.hasAnnotations)
  hasAnnotations?: boolean;

  @WireFlag(FETCH_MEMBERS.annotations)
  annotations?: boolean;

  @WireFlag(FETCH_MEMBERS.taglist)
  taglist?: boolean;

  @WireFlag(FETCH_MEMBERS.forcetaglist)
  forcetaglist?: boolean;

  @WireFlag(FETCH_MEMBERS.shares)
  shares?: boolean;

  /** The call of get that this is. */
  toQuery(rules: DialectRules, known: KnownSince): GetQuery {
    const { offset = 0, count = CHUNK, annotations = true } = this;
    const members = defined({
      ...({ state: 'unread', sort: 'newest', detailType: 'complete', total: true } as const),
      ...{ offset, count: offset === 0 ? FIRST_CHUNK : count, annotations },
      ...{ since: this.since, updatedBefore: this.updatedBefore },
      ...{ taglist: this.taglist, forcetaglist: this.forcetaglist },
      hasAnnotations: this.hasAnnotations,
    });
    const request = Object.assign(new GetRequest(), members);
    return withWholeDelta(request.toQuery({ ...rules, maxCount: LARGEST_CHUNK }, known));
  }
}
