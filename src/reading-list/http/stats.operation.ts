import { objectOf, ref } from '../../common/openapi/schema.js';
import type { WireStats } from './stats.presenter.js';
import { v3Operation } from './v3.operation.js';

const count = (things: string) =>
  ({ type: 'integer', minimum: 0, description: `How many ${things} there are.` }) as const;

export const STATS_OPERATION = v3Operation({
  id: 'stats',
  summary: 'Count the items of the list',
  description: 'Permission: retrieve. Deleted items do not count.',
  request: {
    name: 'StatsRequest',
    members: [],
    description: 'At most 64 KB.',
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
    description: 'The numbers.',
    content: { 'application/json': ref('Stats') },
  },
  schemas: {
    Stats: objectOf<WireStats>({
      count_list: count('items'),
      count_read: count('archived items'),
      count_unread: count('unread items'),
      status: { const: 1 },
    }),
  },
});
