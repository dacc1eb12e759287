import type { CallExample } from '../../platform/common/openapi.js';
import { rowWithDefaults } from '../../platform/database/entity-columns.js';
import { type ItemRow, ShownItem } from '../entities/item.entity.js';
import type { ShownAnnotation } from './annotation.presenter.js';
import type { GetResponse } from './get.presenter.js';
import { COMPLETE, type ItemDetail } from './get.request.js';
import { type ItemResponse, PresentedItem } from './item.presenter.js';

/** Example values of the fields that every response of `/v3/get` contains besides the items. */
export const ENVELOPE = {
  status: 1,
  complete: 1,
  error: null,
  search_meta: { search_type: 'normal' },
  since: 1763800003,
  maxActions: 30,
  cachetype: 'db',
};

/** Returns an example item of a list, as a database row. The page of the item was not fetched. */
const rowOf = (columns: Partial<ItemRow>): ItemRow =>
  rowWithDefaults(ShownItem, {
    time_added: '1763800001',
    time_updated: '1763800003',
    ...columns,
  });

const RFC = rowOf({
  item_id: '8820866062756984',
  given_url: 'https://www.rfc-editor.org/rfc/rfc9110',
  given_title: 'HTTP Semantics',
  favorite: 1,
  time_favorited: '1763800003',
  tags: ['http', 'standards'],
});

const IANA = rowOf({
  item_id: '5952284834408592',
  given_url: 'https://www.iana.org/help/example-domains',
  given_title: 'Example Domains',
});

const ANNOTATIONS_OF_RFC = [
  {
    annotationId: '0e1f4c1a-6f3b-4a52-9d0c-5d6f2c1b7a90',
    itemId: RFC.item_id,
    quote: 'HTTP is a family of protocols',
    patch: '',
    version: '2',
    createdAt: '1763800000',
    note: 'Not only one protocol.',
  },
];

const SIMPLE: ItemDetail = {
  tags: false,
  authors: false,
  images: false,
  videos: false,
  domainMetadata: false,
  note: false,
};

const itemOf = (
  row: ItemRow,
  sortId: number,
  shows: ItemDetail,
  annotations?: readonly ShownAnnotation[],
): ItemResponse => new PresentedItem({ row, sortId, shows, annotations });

const listOf = (...items: readonly ItemResponse[]): GetResponse['list'] =>
  Object.fromEntries(items.map((item) => [item.item_id, item]));

/** Example calls of `/v3/get` on a list of three items. One of the items is deleted. */
export const GET_EXAMPLES: Readonly<Record<string, CallExample>> = {
  simple: {
    summary: 'The newest unread item, and the number of unread items',
    body: { state: 'unread', sort: 'newest', count: 1, offset: 0, total: 1 },
    answer: { ...ENVELOPE, list: listOf(itemOf(IANA, 0, SIMPLE)), total: '2' },
  },
  complete: {
    summary: 'All fields of the items with one tag',
    body: { tag: 'http', detailType: 'complete' },
    answer: { ...ENVELOPE, list: listOf(itemOf(RFC, 0, COMPLETE)) },
  },
  search: {
    summary: 'Favorites with a word in the title or URL',
    body: { search: 'semantics', favorite: 1, total: 1 },
    answer: {
      ...ENVELOPE,
      search_meta: {
        search_type: 'normal',
        total_result_count: 1,
        count: 30,
        offset: 0,
        has_more: false,
      },
      list: listOf(itemOf(RFC, 0, SIMPLE)),
      total: '1',
    },
  },
  annotations: {
    summary: 'The items that have highlights, with the highlights',
    body: { hasAnnotations: 1, annotations: 1 },
    answer: {
      ...ENVELOPE,
      list: listOf(itemOf(RFC, 0, SIMPLE, ANNOTATIONS_OF_RFC)),
    },
  },
  changes: {
    summary: 'The changes since an earlier answer, with one deleted item',
    body: { since: 1763800002, state: 'all' },
    answer: {
      ...ENVELOPE,
      complete: 0,
      list: {
        '7756775858943697': {
          item_id: '7756775858943697',
          status: '2',
          listen_duration_estimate: 0,
        },
      },
    },
  },
  nothing: {
    summary: 'A filter that matches no item',
    body: { contentType: 'video', domain: 'example.com' },
    answer: { ...ENVELOPE, list: {} },
  },
  wrong: {
    summary: 'A state that does not exist',
    body: { state: 'foo' },
    status: 400,
  },
};

const PASSTHROUGH = { firstChunkSize: '25', fetchChunkSize: '250', chunk: '0' };

/** Example calls of `/v3/fetch` on the list of GET_EXAMPLES. */
export const FETCH_EXAMPLES: Readonly<Record<string, CallExample>> = {
  first: {
    summary: 'The first page that an app loads',
    body: { offset: 0, chunk: 0, shares: 1, forcetaglist: 1 },
    answer: {
      ...ENVELOPE,
      list: listOf(itemOf(IANA, 0, COMPLETE), itemOf(RFC, 1, COMPLETE, ANNOTATIONS_OF_RFC)),
      total: '2',
      tags: ['http', 'standards'],
      passthrough: PASSTHROUGH,
      recent_friends: [],
      auto_complete_emails: [],
      unconfirmed_shares: [],
    },
  },
  next: {
    summary: 'A later page without items',
    body: { offset: 25, count: 250, chunk: 1 },
    answer: {
      ...ENVELOPE,
      list: {},
      total: '2',
      passthrough: { ...PASSTHROUGH, chunk: '1' },
    },
  },
  wrong: { summary: 'A negative offset', body: { offset: -1 }, status: 400 },
};
