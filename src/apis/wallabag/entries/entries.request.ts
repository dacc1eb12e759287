import {
  choiceReader,
  integerReader,
  type Reader,
  readFlag,
  readTimestamp,
  textReader,
} from '../../../pocket-api/param-readers.js';
import { CustomParam, TextParam } from '../../../pocket-api/params.js';
import type { EntryDetail } from './entry-reader.service.js';

/** Texts that some clients send instead of omitting a parameter. */
const NOTHING: ReadonlySet<unknown> = new Set(['none', 'null', 'undefined']);

const textIn = (value: unknown): unknown =>
  typeof value === 'string' ? value.trim().toLowerCase() : value;

/** Returns a parameter reader that treats texts such as "null" as a missing value. */
const optional =
  <T>(read: Reader<T>): Reader<T | undefined> =>
  (value) =>
    NOTHING.has(textIn(value)) ? undefined : read(value);

const OptionalFlag = (): PropertyDecorator => CustomParam(optional(readFlag));

const MOST_PAGES = 2 ** 31 - 1;
const MOST_A_PAGE = 300;
const DEFAULT_A_PAGE = 30;

/** Returns a parameter reader that ignores a value that is not a positive integer. */
const countReader =
  (max: number): Reader<number | undefined> =>
  (value) => {
    const count = integerReader({ min: 1, max, clamp: true })(value);
    return typeof count === 'number' ? count : undefined;
  };

const SORTS = { created: 'created', updated: 'updated', archived: 'archived' } as const;

export type EntrySort = keyof typeof SORTS;
export type EntryDirection = 'asc' | 'desc';

const sortReader: Reader<EntrySort | undefined> = (value) => {
  const sort = choiceReader(SORTS)(value);
  return typeof sort === 'string' ? sort : undefined;
};

const MAX_DOMAIN = 253;
const MAX_TAGS = 10_000;
const MAX_STATUS = 999;

const PageParam = (): PropertyDecorator => CustomParam(countReader(MOST_PAGES));
const PerPageParam = (): PropertyDecorator => CustomParam(countReader(MOST_A_PAGE));
const DetailParam = (): PropertyDecorator =>
  CustomParam(optional(choiceReader({ full: 'full', metadata: 'metadata' })));

/** The parameters of all calls that return several entries: the requested page of the list, and the level of detail. */
export interface PageParams {
  readonly page?: number;
  readonly perPage?: number;
  readonly detail?: EntryDetail;
}

/** The parameters of a call that returns one entry. */
export class EntryRequest {
  @DetailParam()
  detail?: EntryDetail;
}

/** The number of a page of the list, and the number of entries per page. */
export interface PageWanted {
  readonly page: number;
  readonly perPage: number;
}

export const pageOf = ({ page = 1, perPage = DEFAULT_A_PAGE }: PageParams): PageWanted => ({
  page,
  perPage,
});

/** The parameters of a call that returns several entries (docs/api/wallabag.md). Blank parameters are ignored. */
export class EntriesRequest implements PageParams {
  @PageParam()
  page?: number;

  @PerPageParam()
  perPage?: number;

  @DetailParam()
  detail?: EntryDetail;

  @OptionalFlag()
  archive?: boolean;

  @OptionalFlag()
  starred?: boolean;

  @OptionalFlag()
  public?: boolean;

  @OptionalFlag()
  notParsed?: boolean;

  @OptionalFlag()
  annotations?: boolean;

  @CustomParam(optional(integerReader({ min: 0, max: MAX_STATUS })))
  http_status?: number;

  @CustomParam(sortReader)
  sort?: EntrySort;

  @CustomParam(optional(choiceReader({ asc: 'asc', desc: 'desc' })))
  order?: EntryDirection;

  /** The names of tags, separated by commas. */
  @TextParam({ max: MAX_TAGS })
  tags?: string;

  @CustomParam(optional(readTimestamp))
  since?: number;

  @CustomParam(optional(textReader({ max: MAX_DOMAIN })))
  domain_name?: string;
}

const MAX_TERM = 1000;

/** The parameters of a search for entries. */
export class SearchRequest implements PageParams {
  @PageParam()
  page?: number;

  @PerPageParam()
  perPage?: number;

  @DetailParam()
  detail?: EntryDetail;

  @TextParam({ max: MAX_TERM })
  term?: string;
}
