import type { SchemaObject } from 'openapi3-ts/oas31';

import { membersOf } from '../../common/openapi/member.js';
import { digits, objectOf, ref } from '../../common/openapi/schema.js';
import { FETCH_EXAMPLES } from './fetch.examples.js';
import type { WireFetch } from './fetch.presenter.js';
import { FetchRequest } from './fetch.request.js';
import { GET_OPERATION } from './get.operation.js';
import { ITEM_LIST } from './item.schemas.js';
import { v3Operation } from './v3.operation.js';

const NOTHING_SHARED: SchemaObject = {
  type: 'array',
  maxItems: 0,
  description: 'With `shares`: always empty.',
};

const FETCHED: SchemaObject = {
  ...ITEM_LIST,
  properties: {
    ...ITEM_LIST.properties,
    passthrough: objectOf<WireFetch['passthrough']>(
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
    members: membersOf(FetchRequest),
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
