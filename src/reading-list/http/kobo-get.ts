import type { SchemaObject } from 'openapi3-ts/oas31';

import type { Operation } from '../../common/openapi/operation.js';
import { ref } from '../../common/openapi/schema.js';
import { GET_OPERATION } from './get.operation.js';
import type { WireGet } from './get.presenter.js';
import type { GetRequest } from './get.request.js';
import { withWholeDelta } from './get-query.js';
import { ITEM_LIST } from './item.schemas.js';

/** Kobo's firmware takes what has left the list from the items and stubs of a delta, although it asks for unread articles. */
export const askingForWholeDelta = (request: GetRequest): Pick<GetRequest, 'toQuery'> => ({
  toQuery: (rules, known) => withWholeDelta(request.toQuery(rules, known)),
});

/** The answer of get, as e-readers take it. */
export type WireKoboGet = Omit<WireGet, 'total'> & { readonly total: number | undefined };

export const countedInNumbers = (answer: WireGet): WireKoboGet => ({
  ...answer,
  total: answer.total === undefined ? undefined : Number(answer.total),
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

/** The first page, as a device asks for it. */
const FIRST_PAGE = {
  ...{ contentType: 'article', count: '30', detailType: 'complete', offset: '0' },
  ...{ state: 'unread', total: '1' },
};

export const KOBO_GET_OPERATION: Operation = {
  ...GET_OPERATION,
  id: 'kobo.get',
  summary: 'Retrieve items on a Kobo e-reader',
  description: `As \`/v3/get\`, but that \`total\` is a number, and that with \`since\` what changed comes in whatever \`state\`, with stubs of all that was deleted. ${GET_OPERATION.description}`,
  request: {
    name: 'GetRequest',
    members: GET_OPERATION.request?.members ?? [],
    description: 'At most 64 KB.',
    examples: {
      page: {
        summary: 'The first page, as a device asks for it',
        body: FIRST_PAGE,
        answer: {
          ...{ status: 1, complete: 1, list: {}, error: null },
          ...{ search_meta: { search_type: 'normal' }, since: 1763800003 },
          ...{ maxActions: 30, cachetype: 'db', total: 0 },
        },
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
