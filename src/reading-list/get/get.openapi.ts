import type { SchemaObject } from 'openapi3-ts/oas31';

import {
  digits,
  keyed,
  objectOf,
  type Operation,
  optional,
  paramsOf,
  ref,
  schemaOf,
} from '../../platform/common/openapi.js';
import { v3Operation } from '../../pocket-api/v3.openapi.js';
import { FetchRequest } from './fetch.request.js';
import type { DeletedItemResponse, FetchResponse, GetResponse } from './get.presenter.js';
import { GetRequest } from './get.request.js';
import { ENVELOPE, FETCH_EXAMPLES, GET_EXAMPLES } from './get-examples.openapi.js';
import { ITEM_ID, whole } from './item.openapi.js';
import { PresentedItem } from './item.presenter.js';

const ITEM = schemaOf(PresentedItem, {
  description:
    'Flags, ids, counts and times are text. Optional fields without a value are missing.',
});

/**
 * The schema of a deleted item in a response of `/v3/get`. Responses with changes since an earlier call contain deleted
 * items.
 */
const DELETED_ITEM = objectOf<DeletedItemResponse>(
  {
    item_id: ITEM_ID,
    status: { const: '2', description: '2: the item is deleted.' },
    listen_duration_estimate: { const: 0 },
  },
  { description: 'The stub of a deleted item. Only in answers to calls with `since`.' },
);

/** The answer of get. */
const ITEM_LIST = objectOf<GetResponse>({
  status: {
    enum: [1, 2],
    description:
      'Always 1 in the dialect `standard`. In the dialect `classic`, 2 if the list is empty, otherwise 1.',
  },
  complete: {
    enum: [0, 1],
    description:
      '1 if the answer is the whole list, 0 if the answer contains only the changes after `since`.',
  },
  list: keyed(
    { anyOf: [ref('Item'), ref('DeletedItem')] },
    {
      names: { pattern: String.raw`^\d+$` },
      description:
        'The items by id, in the order of `sort`, followed by the stubs of deleted items. The field `sort_id` is the position of an item.',
    },
  ),
  error: {
    type: 'null',
    description: 'Always null. A call that fails returns an HTTP error status instead.',
  },
  search_meta: objectOf<GetResponse['search_meta']>(
    {
      search_type: { const: 'normal' },
      total_result_count: optional(whole('The number of items that match the search.')),
      count: optional(whole('The page size of this answer.')),
      offset: optional(whole('The `offset` of the call.')),
      has_more: optional({ type: 'boolean', description: 'True if there is a next page.' }),
    },
    {
      description:
        'Data about the search. All fields except `search_type` are present only if the call has `total=1` and also `search` or `q`.',
    },
  ),
  since: whole(
    'The version of the list. Store this value, and send it as `since` in the next call.',
  ),
  maxActions: {
    const: 30,
    description: 'The recommended maximum number of actions in one call of `/v3/send`.',
  },
  cachetype: { const: 'db' },
  total: optional(digits('The number of items on all pages. Only with `total=1`.')),
  tags: optional({
    type: 'array',
    items: { type: 'string' },
    description: 'The names of all tags. Only with `taglist=1` or `forcetaglist=1`.',
  }),
});

export const GET_OPERATION = v3Operation({
  id: 'get',
  summary: 'Retrieve items',
  description:
    'Permission: retrieve. Returns the items that match all filters, in the order of `sort`, one page per call. To synchronize, store the `since` of each answer, and send this value in the next call. The next answer then contains all changes since the earlier answer, with stubs of deleted items. The client receives each change exactly once.',
  request: {
    name: 'GetRequest',
    params: paramsOf(GetRequest),
    description: 'A body of at most 64 KB.',
    examples: GET_EXAMPLES,
  },
  answer: {
    status: 200,
    description: 'The items.',
    content: { 'application/json': ref('ItemList') },
  },
  schemas: { ItemList: ITEM_LIST, Item: ITEM, DeletedItem: DELETED_ITEM },
  errors: ['service_busy'],
});

const NOTHING_SHARED: SchemaObject = {
  type: 'array',
  maxItems: 0,
  description: 'Always empty. Only with `shares=1`.',
};

const FETCHED: SchemaObject = {
  ...ITEM_LIST,
  properties: {
    ...ITEM_LIST.properties,
    passthrough: objectOf<FetchResponse['passthrough']>(
      {
        firstChunkSize: digits('The number of items on the first page.'),
        fetchChunkSize: digits('The number of items that the client requests for each later page.'),
        chunk: digits('The `chunk` of the call.'),
      },
      { description: 'The values that the client needs to request the next page.' },
    ),
    recent_friends: NOTHING_SHARED,
    auto_complete_emails: NOTHING_SHARED,
    unconfirmed_shares: NOTHING_SHARED,
  },
  required: [...(ITEM_LIST.required ?? []), 'total', 'passthrough'],
};

export const FETCH_OPERATION = v3Operation({
  id: 'fetch',
  summary: 'Retrieve the unread items, with a small first page',
  description:
    'Permission: retrieve. The Pocket apps use this call to load the list for the first time. The call works like `/v3/get` with `state` unread, `sort` newest, `detailType` complete and `total` 1.',
  request: {
    name: 'FetchRequest',
    params: paramsOf(FetchRequest),
    description: 'A body of at most 64 KB.',
    examples: FETCH_EXAMPLES,
  },
  answer: {
    status: 200,
    description: 'The items.',
    content: { 'application/json': ref('FetchedList') },
  },
  schemas: { ...GET_OPERATION.schemas, FetchedList: FETCHED },
  errors: ['service_busy'],
});

const KOBO_ITEM_LIST: SchemaObject = {
  ...ITEM_LIST,
  properties: {
    ...ITEM_LIST.properties,
    total: {
      type: 'integer',
      minimum: 0,
      description: 'The number of items on all pages. Only with `total=1`.',
    },
  },
};

/** An example request of an e-reader for the first page of `/v3/get`. */
const FIRST_PAGE = {
  contentType: 'article',
  count: '30',
  detailType: 'complete',
  offset: '0',
  state: 'unread',
  total: '1',
};

export const KOBO_GET_OPERATION: Operation = {
  ...GET_OPERATION,
  id: 'kobo.get',
  summary: 'Retrieve items on a Kobo e-reader',
  description: `Works like \`/v3/get\`, with two differences. The field \`total\` is a number. The answer to \`since\` contains changed items in any \`state\`, and stubs of all deleted items. ${GET_OPERATION.description}`,
  request: {
    name: 'GetRequest',
    params: GET_OPERATION.request?.params ?? [],
    description: 'A body of at most 64 KB.',
    examples: {
      page: {
        summary: 'The first page, as a device requests it',
        body: FIRST_PAGE,
        answer: { ...ENVELOPE, list: {}, total: 0 },
      },
    },
  },
  answer: {
    status: 200,
    description: 'The items.',
    content: { 'application/json': ref('KoboItemList') },
  },
  schemas: { ...GET_OPERATION.schemas, KoboItemList: KOBO_ITEM_LIST },
};
