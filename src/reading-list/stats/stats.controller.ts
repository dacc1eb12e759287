import { Controller, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Permission, RequirePermission } from '../../auth/consumers/permission.js';
import { CurrentPrincipal, type Principal } from '../../auth/consumers/principal.js';
import { Describes, objectOf, ref } from '../../platform/common/openapi.js';
import { v3Operation } from '../../pocket-api/v3.openapi.js';
import { sendV3 } from '../../pocket-api/v3-responses.js';
import { V3Route } from '../../pocket-api/v3-routes.js';
import { ARCHIVED } from '../facet.js';

/** The response of `/v3/stats` (docs/api/stats.md). */
interface StatsResponse {
  readonly count_list: number;
  readonly count_read: number;
  readonly count_unread: number;
  readonly status: 1;
}

/**
 * Returns the response of `/v3/stats`, computed from the exact counters of the list. The counters were loaded together
 * with the caller.
 */
function presentStats({
  item_count: all,
  facet_counts: counters,
}: {
  readonly item_count: number;
  readonly facet_counts: string;
}): StatsResponse {
  const read = counters
    .split(',')
    .reduce((sum, count, facet) => sum + ((facet & ARCHIVED) === 0 ? 0 : Number(count)), 0);
  return { count_list: all, count_read: read, count_unread: all - read, status: 1 };
}

const count = (things: string) =>
  ({ type: 'integer', minimum: 0, description: `The number of ${things}.` }) as const;

const STATS_OPERATION = v3Operation({
  id: 'stats',
  summary: 'Count the items of the list',
  description: 'Permission: retrieve. The numbers do not include deleted items.',
  request: {
    name: 'StatsRequest',
    params: [],
    description: 'A body of at most 64 KB.',
    examples: {
      counts: {
        summary: 'A list of two unread items',
        body: {},
        answer: { count_list: 2, count_read: 0, count_unread: 2, status: 1 },
      },
    },
  },
  answer: {
    status: 200,
    description: 'The numbers of items.',
    content: { 'application/json': ref('Stats') },
  },
  schemas: {
    Stats: objectOf<StatsResponse>({
      count_list: count('items'),
      count_read: count('archived items'),
      count_unread: count('unread items'),
      status: { const: 1 },
    }),
  },
});

/** Serves POST /v3/stats (docs/api/stats.md). */
@Controller()
export class StatsController {
  @V3Route('stats')
  @RequirePermission(Permission.Retrieve)
  @Describes(STATS_OPERATION)
  stats(@CurrentPrincipal() { list }: Principal, @Res() response: Response): void {
    sendV3(response, 200, presentStats(list));
  }
}
