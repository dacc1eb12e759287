import { randomBytes } from 'node:crypto';

import { Controller, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import {
  CallingConsumer,
  type Consumer,
  ConsumerKeyGuard,
} from '../../auth/consumers/consumer-key.guard.js';
import { fieldProblem, ValidationFailedError } from '../../platform/common/common.errors.js';
import { Describes, objectOf, ref, text } from '../../platform/common/openapi.js';
import { Public } from '../../platform/http/public.js';
import { textReader, Unreadable } from '../../pocket-api/param-readers.js';
import { keyOperation } from '../../pocket-api/v3.openapi.js';
import { sendV3 } from '../../pocket-api/v3-responses.js';
import { V3Route } from '../../pocket-api/v3-routes.js';
import { outcomeOfReport } from '../actions/action.parser.js';
import { DIALECT_RULES } from '../dialect-rules.js';
import { ACTIONS_PARAM } from '../send/send.openapi.js';
import { presentSend } from '../send/send.presenter.js';
import { actionsOf } from '../send/send.request.js';

const MAX_GUID = 200;

const readText = textReader({ max: MAX_GUID });

/**
 * Checks that a guid is present. Its value does not matter.
 *
 * @throws ValidationFailedError if the guid is missing or too long.
 */
function requireGuid(params: object): void {
  if (!('guid' in params)) {
    throw new ValidationFailedError([fieldProblem('guid', 'is missing')]);
  }
  const guid = readText(params.guid);
  if (guid instanceof Unreadable) {
    throw new ValidationFailedError([fieldProblem('guid', guid.reason)]);
  }
}

/** The response of `/v3/guid`. */
interface GuidResponse {
  readonly guid: string;
}

const GUID = '5d1a9f0c6b7e4a2f8c3d0e9b4f6a7182';

const GUID_OPERATION = keyOperation({
  id: 'guid',
  summary: 'Get a name for a device',
  description:
    'The Pocket apps need a name for the device before a user logs in. Each call returns a new name. The service does not store the name.',
  request: {
    name: 'GuidRequest',
    params: [],
    description: 'A body of at most 64 KB.',
    examples: {
      guid: { summary: 'A name for a device', body: {}, answer: { guid: GUID } },
    },
  },
  answer: {
    status: 200,
    description: 'The name of the device.',
    content: { 'application/json': ref('Guid') },
  },
  schemas: { Guid: objectOf<GuidResponse>({ guid: text('32 random hexadecimal digits.') }) },
});

const SEND_GUID_OPERATION = keyOperation({
  id: 'sendGuid',
  summary: 'Report the usage of an app',
  description:
    'The Pocket apps use this call instead of `/v3/send` before a user logs in. Usage reports (`pv`, `pv_wt`, `pv_ab` …) succeed, and the service stores nothing. Any other action fails with 130, because the call has no user and therefore no list.',
  request: {
    name: 'SendGuidRequest',
    params: [
      {
        name: 'guid',
        schema: {
          type: ['string', 'integer'],
          maxLength: MAX_GUID,
          description: 'The name of the device. Any text is valid.',
        },
        isRequired: true,
      },
      ACTIONS_PARAM,
    ],
    description: 'A body of at most 1 MB.',
    examples: {
      reports: {
        summary: 'A usage report, and an action that needs a user',
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
      wrong: {
        summary: 'A call without the name of the device',
        body: { actions: [] },
        status: 400,
      },
    },
  },
  answer: {
    status: 200,
    description: 'The result of each action.',
    content: { 'application/json': ref('Sent') },
  },
});

const GUID_BYTES = 16;

/**
 * Serves the calls that Pocket's apps make before a user has logged in (docs/api/guid.md). Satchel stores nothing for
 * these calls.
 */
@Public()
@UseGuards(ConsumerKeyGuard)
@Controller()
export class GuidController {
  @V3Route('guid')
  @Describes(GUID_OPERATION)
  issue(@Res() response: Response): void {
    const answer: GuidResponse = { guid: randomBytes(GUID_BYTES).toString('hex') };
    sendV3(response, 200, answer);
  }

  @V3Route('sendGuid')
  @Describes(SEND_GUID_OPERATION)
  send(
    @CallingConsumer() { dialect }: Consumer,
    @Req() { body }: Request<unknown, unknown, object>,
    @Res() response: Response,
  ): void {
    requireGuid(body);
    const outcomes = actionsOf(body).map(outcomeOfReport);
    sendV3(response, 200, presentSend(outcomes, DIALECT_RULES[dialect]));
  }
}
