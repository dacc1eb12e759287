import { defined } from '../../lib/util/defined.js';
import { FlagParam, IntegerParam, TimestampOrDateParam } from '../../pocket-api/params.js';
import type { DialectRules } from '../dialect-rules.js';
import type { KnownSince } from '../query/items-wanted.js';
import { FETCH_PARAMS } from './get.parameters.js';
import { type GetQuery, GetRequest, withWholeDelta } from './get.request.js';

/**
 * The number of items in the first response of `/v3/fetch` to Pocket's apps. The number is small, so that the apps
 * quickly show something.
 */
export const FIRST_CHUNK = 25;
export const CHUNK = 250;
const LARGEST_CHUNK = 5000;
const MAX_OFFSET = 2 ** 31;

/**
 * The parameters of `/v3/fetch` (docs/api/fetch.md). All other parameters of `/v3/get` have fixed values in
 * `/v3/fetch`.
 */
export class FetchRequest {
  @IntegerParam({ min: 0, max: MAX_OFFSET }, FETCH_PARAMS.offset)
  offset?: number;

  @IntegerParam({ min: 1, max: LARGEST_CHUNK, clamp: true }, FETCH_PARAMS.count)
  count?: number;

  @IntegerParam({ min: 0, max: MAX_OFFSET }, FETCH_PARAMS.chunk)
  chunk?: number;

  @TimestampOrDateParam(FETCH_PARAMS.since)
  since?: number;

  @TimestampOrDateParam(FETCH_PARAMS.updatedBefore)
  updatedBefore?: number;

  @FlagParam(FETCH_PARAMS.hasAnnotations)
  hasAnnotations?: boolean;

  @FlagParam(FETCH_PARAMS.annotations)
  annotations?: boolean;

  @FlagParam(FETCH_PARAMS.taglist)
  taglist?: boolean;

  @FlagParam(FETCH_PARAMS.forcetaglist)
  forcetaglist?: boolean;

  @FlagParam(FETCH_PARAMS.shares)
  shares?: boolean;

  /** Returns the query of the `/v3/get` call that is equivalent to this `/v3/fetch` call. */
  toQuery(rules: DialectRules, known: KnownSince): GetQuery {
    const { offset = 0, count = CHUNK, annotations = true } = this;
    const params = defined({
      ...({ state: 'unread', sort: 'newest', detailType: 'complete', total: true } as const),
      offset,
      count: offset === 0 ? FIRST_CHUNK : count,
      annotations,
      since: this.since,
      updatedBefore: this.updatedBefore,
      taglist: this.taglist,
      forcetaglist: this.forcetaglist,
      hasAnnotations: this.hasAnnotations,
    });
    const request = Object.assign(new GetRequest(), params);
    return withWholeDelta(request.toQuery({ ...rules, maxCount: LARGEST_CHUNK }, known));
  }
}
