import { Body, Controller, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Permission, RequirePermission } from '../../auth/consumers/permission.js';
import { CurrentPrincipal, type Principal } from '../../auth/consumers/principal.js';
import { ValidationFailedError } from '../../platform/common/common.errors.js';
import { Describes, objectOf, paramsOf, ref, text } from '../../platform/common/openapi.js';
import { CustomParam, IdParam } from '../../pocket-api/params.js';
import { v3Operation } from '../../pocket-api/v3.openapi.js';
import { sendV3 } from '../../pocket-api/v3-responses.js';
import { V3Route } from '../../pocket-api/v3-routes.js';
import type { Address } from '../list/address.js';
import type { ItemReference } from '../list/list-state.js';
import type { SuggestedTag } from '../list/tag.repository.js';
import { readAddress } from '../list-param-readers.js';
import { SuggestionsService } from './suggestions.service.js';

/** The value of `item_id` that some clients send if they have no id. */
const NO_ID = '0';

/** The parameters of `/v3/suggested_tags`. Apps also send `version`, which is ignored. */
class SuggestionsRequest {
  @IdParam({
    description: 'The id of an item in the list. 0 means no item. Any other id wins over `url`.',
  })
  item_id?: string;

  @CustomParam(readAddress, {
    type: 'string',
    maxLength: 4096,
    description: 'The URL of a page, in any spelling. The page need not be in the list.',
  })
  url?: Address;

  toReference(): ItemReference {
    if (this.item_id !== undefined && this.item_id !== NO_ID) {
      return { itemId: this.item_id };
    }
    if (this.url === undefined) {
      throw new ValidationFailedError(['url or item_id is missing']);
    }
    return { address: this.url };
  }
}

/** The response of `/v3/suggested_tags`. */
interface SuggestionsResponse {
  readonly suggested_tags: readonly SuggestedTag[];
  readonly status: 1;
}

const SUGGESTIONS_OPERATION = v3Operation({
  id: 'suggestedTags',
  summary: 'Suggest tags for an item',
  description:
    'Permission: retrieve. Returns at most ten tags that the user already uses, best match first. The answer leaves out tags that the item already has. The service suggests tags of other items of the same site, tags whose names are in the titles of the item, and the most frequent tags.',
  request: {
    name: 'SuggestionsRequest',
    params: paramsOf(SuggestionsRequest),
    description: 'A body of at most 64 KB.',
    examples: {
      item: {
        summary: 'Tags for an item',
        body: { item_id: '5952284834408592' },
        answer: {
          suggested_tags: [
            { tag: 'http', score: 0.1 },
            { tag: 'standards', score: 0.1 },
          ],
          status: 1,
        },
      },
      page: {
        summary: 'Tags for a page of a site that has items in the list',
        body: { url: 'https://www.rfc-editor.org/rfc/rfc3986' },
        answer: {
          suggested_tags: [
            { tag: 'http', score: 0.7 },
            { tag: 'standards', score: 0.7 },
          ],
          status: 1,
        },
      },
      unknown: { summary: 'An item that is not in the list', body: { item_id: '1' }, status: 404 },
      wrong: { summary: 'A call without `item_id` and `url`', body: {}, status: 400 },
    },
  },
  answer: {
    status: 200,
    description: 'The suggested tags.',
    content: { 'application/json': ref('Suggestions') },
  },
  errors: ['item_not_found'],
  schemas: {
    Suggestions: objectOf<SuggestionsResponse>({
      suggested_tags: {
        type: 'array',
        maxItems: 10,
        items: objectOf<SuggestedTag>({
          tag: text('The name of the tag.'),
          score: {
            type: 'number',
            minimum: 0,
            maximum: 1,
            description: 'The score of the tag. Better matches have higher scores.',
          },
        }),
        description: 'The suggested tags, best match first.',
      },
      status: { const: 1 },
    }),
  },
});

/** Serves POST /v3/suggested_tags (docs/api/suggested-tags.md). */
@Controller()
export class SuggestionsController {
  constructor(private readonly suggestions: SuggestionsService) {}

  @V3Route('suggestedTags')
  @RequirePermission(Permission.Retrieve)
  @Describes(SUGGESTIONS_OPERATION)
  async suggest(
    @CurrentPrincipal() { userId }: Principal,
    @Body() request: SuggestionsRequest,
    @Res() response: Response,
  ): Promise<void> {
    const tags = await this.suggestions.suggest(userId, request.toReference());
    const answer: SuggestionsResponse = { suggested_tags: tags, status: 1 };
    sendV3(response, 200, answer);
  }
}
