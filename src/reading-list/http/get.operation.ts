import { membersOf } from '../../common/openapi/member.js';
import { ref } from '../../common/openapi/schema.js';
import { GET_EXAMPLES } from './get.examples.js';
import { GetRequest } from './get.request.js';
import { DELETED_ITEM, ITEM, ITEM_LIST } from './item.schemas.js';
import { v3Operation } from './v3.operation.js';

export const GET_OPERATION = v3Operation({
  id: 'get',
  summary: 'Retrieve items',
  description:
    'Permission: retrieve. The items that pass every filter, in the order of `sort`, a page at a time. To stay in step, store `since` of each answer and send it with the next call: the answer is what changed in between, with stubs of what was deleted. No change is missed or repeated.',
  request: {
    name: 'GetRequest',
    members: membersOf(GetRequest),
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
