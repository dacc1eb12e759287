import { Body, Controller, Res } from '@nestjs/common';
import type { Response } from 'express';

import { sendWire } from '../../common/http/send-wire.js';
import { Describes } from '../../common/openapi/operation.js';
import { Permission } from '../../consumers/permission.js';
import { CurrentPrincipal, type Principal } from '../../consumers/principal.js';
import { RequirePermission } from '../../consumers/require-permission.js';
import { GetService } from '../get.service.js';
import type { AnnotationsByItem } from '../list/annotation-list.js';
import type { ItemsFound } from '../list/items-found.js';
import { DIALECT_RULES } from './dialect-rules.js';
import { GET_OPERATION } from './get.operation.js';
import { presentGet, type WireGet } from './get.presenter.js';
import { GetRequest } from './get.request.js';
import type { GetQuery } from './get-query.js';
import { countedInNumbers, KOBO_GET_OPERATION } from './kobo-get.js';
import { V3Route } from './v3-route.js';

/** POST /v3/get (specification; docs/api/get.md). */
@Controller()
export class GetController {
  constructor(private readonly lists: GetService) {}

  @V3Route('get')
  @RequirePermission(Permission.Retrieve)
  @Describes(GET_OPERATION)
  async get(
    @CurrentPrincipal() principal: Principal,
    @Body() request: GetRequest,
    @Res() response: Response,
  ): Promise<void> {
    sendWire(response, 200, await this.answer(principal, request));
  }

  /** As `get`, but for the number of items, which e-readers take for a number. */
  @V3Route('koboGet')
  @RequirePermission(Permission.Retrieve)
  @Describes(KOBO_GET_OPERATION)
  async koboGet(
    @CurrentPrincipal() principal: Principal,
    @Body() request: GetRequest,
    @Res() response: Response,
  ): Promise<void> {
    sendWire(response, 200, countedInNumbers(await this.answer(principal, request)));
  }

  private async answer(
    { userId, dialect, list }: Principal,
    request: GetRequest,
  ): Promise<WireGet> {
    const rules = DIALECT_RULES[dialect];
    const query = request.toQuery(rules, this.lists.oldestSince());
    const found = await this.lists.find(userId, query, list);
    const tagNames = await this.tagNames(userId, query);
    const annotations = await this.annotations(userId, query, found);
    const isDelta = query.filter.since !== undefined;
    return presentGet({ ...found, isDelta, ...tagNames, ...annotations }, query, rules);
  }

  private async annotations(
    userId: string,
    { withAnnotations }: GetQuery,
    { rows }: ItemsFound,
  ): Promise<{ annotations?: AnnotationsByItem }> {
    const itemIds = rows.map(({ item_id: itemId }) => itemId);
    return withAnnotations ? { annotations: await this.lists.annotations(userId, itemIds) } : {};
  }

  private async tagNames(userId: string, query: GetQuery): Promise<{ tagNames?: string[] }> {
    if (query.wantsTagList === undefined) {
      return {};
    }
    const since = query.wantsTagList === 'changed' ? query.filter.since : undefined;
    const tagNames = await this.lists.tagNames(userId, since);
    return tagNames === undefined ? {} : { tagNames };
  }
}
