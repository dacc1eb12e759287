import type { SchemaObject } from 'openapi3-ts/oas31';

import {
  type CallExample,
  type DocumentedParam,
  objectOf,
  ref,
} from '../../platform/common/openapi.js';
import { v3Operation } from '../../pocket-api/v3.openapi.js';
import { ADDED_ITEM } from '../add/add.openapi.js';
import { ACTION } from './action.openapi.js';
import type { SendResponse } from './send.presenter.js';

const ACTION_ERROR = objectOf<NonNullable<SendResponse['action_errors'][number]>>({
  message: { type: 'string', description: 'The error message.' },
  type: { enum: ['Bad request', 'Internal Server Error', 'Insufficient Storage'] },
  code: {
    enum: [130, 160, 198],
    description:
      '130: the action is malformed or unknown. 160: the user has reached the storage limit. 198: the item or the tag does not exist.',
  },
});

const SENT: SchemaObject = objectOf<SendResponse>({
  status: {
    enum: [0, 1],
    description:
      '1 if all actions succeeded, 0 if at least one action failed. In the dialect `classic`, always 1.',
  },
  action_results: {
    type: 'array',
    items: { anyOf: [{ type: 'boolean' }, ref('AddedItem')] },
    description:
      'One result for each action, in the order sent: true if the effect of the action is stored, otherwise false. In the dialect `classic`, the result of a successful `add` or `readd` is the item.',
  },
  action_errors: {
    type: 'array',
    items: { anyOf: [{ type: 'null' }, ref('ActionError')] },
    description: 'One element for each action: null, or the error of a failed action.',
  },
});

const RFC = '8820866062756984';

const IANA = '5952284834408592';

const done = (actions: number): object => ({
  status: 1,
  action_results: Array<boolean>(actions).fill(true),
  action_errors: Array<null>(actions).fill(null),
});

/** Example requests to `/v3/send` for a list with two items. */
const SEND_EXAMPLES: Readonly<Record<string, CallExample>> = {
  items: {
    summary: 'Actions on items',
    body: {
      actions: [
        { action: 'add', url: 'https://www.w3.org/TR/webarch/', tags: 'web', title: 'Web' },
        { action: 'archive', item_id: RFC, time: 1763800000 },
        { action: 'readd', item_id: Number(RFC) },
        { action: 'undo_archive', item_id: RFC },
        { action: 'unfavorite', item_id: RFC },
        { action: 'favorite', url: 'https://www.iana.org/help/example-domains' },
        { action: 'delete', item_id: IANA },
      ],
    },
    answer: done(7),
  },
  tags: {
    summary: 'Actions on tags',
    body: {
      actions: [
        { action: 'tags_add', item_id: IANA, tags: 'domains, examples' },
        { action: 'tags_remove', item_id: RFC, tags: ['standards'] },
        { action: 'tag_rename', old_tag: 'http', new_tag: 'protocols' },
        { action: 'tag_delete', tag: 'examples' },
        { action: 'tags_replace', item_id: RFC, tags: 'web' },
        { action: 'tags_clear', item_id: IANA },
      ],
    },
    answer: done(6),
  },
  refused: {
    summary: 'One successful action and three failed actions',
    body: {
      actions: [
        { action: 'favorite', item_id: IANA },
        { action: 'archive', item_id: '1' },
        { action: 'undo_delete', item_id: '7756775858943697' },
        { action: 'shelve', item_id: RFC },
      ],
    },
    answer: {
      status: 0,
      action_results: [true, false, false, false],
      action_errors: [
        null,
        ...Array<object>(2).fill({
          message: 'Error - Not Found: SavedItem does not exist',
          type: 'Internal Server Error',
          code: 198,
        }),
        { message: "Invalid Action: 'shelve'", type: 'Bad request', code: 130 },
      ],
    },
  },
  wrong: { summary: 'A call without actions', body: {}, status: 400 },
};

export const ACTIONS_PARAM: DocumentedParam = {
  name: 'actions',
  schema: {
    type: ['array', 'string'],
    items: ref('Action'),
    maxItems: 5000,
    description: 'The actions, as an array or as the JSON text of an array. At most 5000 actions.',
  },
  isRequired: true,
};

export const SEND_OPERATION = v3Operation({
  id: 'send',
  summary: 'Change items and tags',
  description:
    'Permission: modify. The service applies the actions in the order sent. Each action applies to the result of the earlier actions. The service stores the effects of all successful actions together. A failed action does not affect the other actions. Most actions are idempotent. A repeated call has no other effects if its annotations have ids and its `add` and `readd` actions have a `time`. A repeated `tag_rename` fails with 198.',
  request: {
    name: 'SendRequest',
    params: [ACTIONS_PARAM],
    description: 'A body of at most 8 MB.',
    examples: SEND_EXAMPLES,
  },
  answer: {
    status: 200,
    description: 'The result of each action.',
    content: { 'application/json': ref('Sent') },
  },
  errors: ['service_busy'],
  schemas: { Sent: SENT, Action: ACTION, ActionError: ACTION_ERROR, AddedItem: ADDED_ITEM },
});
