import type { SchemaObject } from 'openapi3-ts/oas31';

import type { DocumentedMember } from '../../common/openapi/member.js';
import { objectOf, ref } from '../../common/openapi/schema.js';
import { ACTION } from './action.schemas.js';
import { ADDED_ITEM } from './added-item.schema.js';
import { SEND_EXAMPLES } from './send.examples.js';
import type { WireSend } from './send.presenter.js';
import { v3Operation } from './v3.operation.js';

const ACTION_ERROR = objectOf<NonNullable<WireSend['action_errors'][number]>>({
  message: { type: 'string', description: 'A sentence.' },
  type: { enum: ['Bad request', 'Internal Server Error'] },
  code: {
    enum: [130, 198],
    description: '130: the action is malformed or unknown. 198: there is no such item or tag.',
  },
});

const SENT: SchemaObject = objectOf<WireSend>({
  status: {
    enum: [0, 1],
    description:
      '1: every action succeeded. 0: one failed at least. In the classic dialect always 1.',
  },
  action_results: {
    type: 'array',
    items: { anyOf: [{ type: 'boolean' }, ref('AddedItem')] },
    description:
      'One for each action, in the order sent: true when its effect is stored. In the classic dialect the item that `add` or `readd` put into the list.',
  },
  action_errors: {
    type: 'array',
    items: { anyOf: [{ type: 'null' }, ref('ActionError')] },
    description: 'One for each action: null, or why it failed.',
  },
});

export const ACTIONS_MEMBER: DocumentedMember = {
  name: 'actions',
  schema: {
    type: ['array', 'string'],
    items: ref('Action'),
    maxItems: 5000,
    description: 'The actions, as an array or as its JSON. At most 5000.',
  },
  isRequired: true,
};

export const SEND_OPERATION = v3Operation({
  id: 'send',
  summary: 'Change items and tags',
  description:
    'Permission: modify. The actions are applied in the order sent, each sees what the earlier ones did, and all that succeed are stored together. One that fails touches no other. A batch that is sent again converges.',
  request: {
    name: 'SendRequest',
    members: [ACTIONS_MEMBER],
    description: 'At most 8 MB.',
    examples: SEND_EXAMPLES,
  },
  answer: {
    status: 200,
    description: 'What became of each action.',
    content: { 'application/json': ref('Sent') },
  },
  errors: ['service_busy'],
  schemas: { Sent: SENT, Action: ACTION, ActionError: ACTION_ERROR, AddedItem: ADDED_ITEM },
});
