import { Body, Controller, Res } from '@nestjs/common';
import type { Response } from 'express';

import { sendWire } from '../../common/http/send-wire.js';
import { Describes } from '../../common/openapi/operation.js';
import { Permission } from '../../consumers/permission.js';
import { CurrentPrincipal, type Principal } from '../../consumers/principal.js';
import { RequirePermission } from '../../consumers/require-permission.js';
import { SuggestionsService } from '../suggestions.service.js';
import { SUGGESTIONS_OPERATION, type WireSuggestions } from './suggestions.operation.js';
import { SuggestionsRequest } from './suggestions.request.js';
import { V3Route } from './v3-route.js';

/** POST /v3/suggested_tags (docs/api/suggested-tags.md). */
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
    const answer: WireSuggestions = { suggested_tags: tags, status: 1 };
    sendWire(response, 200, answer);
  }
}
