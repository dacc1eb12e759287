import { objectOf, ref, text } from '../../common/openapi/schema.js';
import { MAX_GUID } from './guid.request.js';
import { ACTIONS_MEMBER } from './send.operation.js';
import { keyOperation } from './v3.operation.js';

/** The answer of guid. */
export interface WireGuid {
  readonly guid: string;
}

const GUID = '5d1a9f0c6b7e4a2f8c3d0e9b4f6a7182';

export const GUID_OPERATION = keyOperation({
  id: 'guid',
  summary: 'Name a device',
  description:
    'For the apps of the original, which want a name of their own before anybody has logged in. Each answer is a new one; none is remembered.',
  request: {
    name: 'GuidRequest',
    members: [],
    description: 'At most 64 KB.',
    examples: {
      guid: { summary: 'A name for a device', body: {}, answer: { guid: GUID } },
    },
  },
  answer: {
    status: 200,
    description: 'A name.',
    content: { 'application/json': ref('Guid') },
  },
  schemas: { Guid: objectOf<WireGuid>({ guid: text('32 random hexadecimal digits.') }) },
});

export const SEND_GUID_OPERATION = keyOperation({
  id: 'sendGuid',
  summary: 'Report about the use of an app',
  description:
    'Send, before anybody has logged in. What the apps of the original report about their use (`pv`, `pv_wt`, `pv_ab` …) succeeds and nothing is stored of it; any other action fails with 130, as there is no list.',
  request: {
    name: 'SendGuidRequest',
    members: [
      {
        name: 'guid',
        schema: {
          type: ['string', 'integer'],
          maxLength: MAX_GUID,
          description: 'The name of the device. Any will do.',
        },
        isRequired: true,
      },
      ACTIONS_MEMBER,
    ],
    description: 'At most 1 MB.',
    examples: {
      reports: {
        summary: 'One report, and an action that needs a person',
        body: {
          guid: GUID,
          actions: [{ action: 'pv' }, { action: 'archive', item_id: '8820866062756984' }],
        },
        answer: {
          status: 0,
          action_results: [true, false],
          action_errors: [
            null,
            { message: "Invalid Action: 'archive'", type: 'Bad request', code: 130 },
          ],
        },
      },
      wrong: { summary: 'A device without a name', body: { actions: [] }, status: 400 },
    },
  },
  answer: {
    status: 200,
    description: 'What became of each action.',
    content: { 'application/json': ref('Sent') },
  },
});
