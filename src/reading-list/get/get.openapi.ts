import type { SchemaObject } from 'openapi3-ts/oas31';

import { digits, objectOf, type Operation, paramsOf, ref } from '../../platform/common/openapi.js';
import { v3Operation } from '../../pocket-api/v3.openapi.js';
import { FetchRequest } from './fetch.request.js';
import type { FetchResponse } from './get.presenter.js';
import { GetRequest } from './get.request.js';
import { ENVELOPE, FETCH_EXAMPLES, GET_EXAMPLES } from './get-examples.openapi.js';
import { DELETED_ITEM, ITEM, ITEM_LIST } from './item.openapi.js';

export const GET_OPERATION = v3Operation({
  id: 'get',
  summary: 'Retrieve items',
  description:
    'Permission: retrieve. The items that pass every filter, in the order of `sort`, a page at a time. To stay in step, store `since` of each answer and send it with the next call: the answer is what changed in between, with stubs of what was deleted. No change is missed or repeated.',
  request: {
    name: 'GetRequest',
    params: paramsOf(GetRequest),
    description: 'At most 64 KB.',
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
  description: 'With `shares`: always empty.',
};

const FETCHED: SchemaObject = {
  ...ITEM_LIST,
  properties: {
    ...ITEM_LIST.properties,
    passthrough: objectOf<FetchResponse['passthrough']>(
      {
        firstChunkSize: digits('How many items the first page has.'),
        fetchChunkSize: digits('How many items the client asks for in each page after it.'),
        chunk: digits('As it was sent.'),
      },
      { description: 'What the client needs to ask for the next page.' },
    ),
    recent_friends: NOTHING_SHARED,
    auto_complete_emails: NOTHING_SHARED,
    unconfirmed_shares: NOTHING_SHARED,
  },
  required: [...(ITEM_LIST.required ?? []), 'total', 'passthrough'],
};

export const FETCH_OPERATION = v3Operation({
  id: 'fetch',
  summary: 'Retrieve the unread items, a small page first',
  description:
    'Permission: retrieve. The first load of the original’s apps: `/v3/get` with `state` unread, `sort` newest, `detailType` complete and `total` 1.',
  request: {
    name: 'FetchRequest',
    params: paramsOf(FetchRequest),
    description: 'At most 64 KB.',
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
      description: 'With `total`: the number of items on all pages together.',
    },
  },
};

/** An example request of a device for the first page. */
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
  description: `As \`/v3/get\`, but that \`total\` is a number, and that with \`since\` what changed comes in whatever \`state\`, with stubs of all that was deleted. ${GET_OPERATION.description}`,
  request: {
    name: 'GetRequest',
    params: GET_OPERATION.request?.params ?? [],
    description: 'At most 64 KB.',
    examples: {
      page: {
        summary: 'The first page, as a device asks for it',
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
