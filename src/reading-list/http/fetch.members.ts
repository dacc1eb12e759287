import type { SchemaObject } from 'openapi3-ts/oas31';

import { GET_MEMBERS } from './get.members.js';

/** What each member of fetch means (docs/api/fetch.md). */
export const FETCH_MEMBERS = {
  offset: { description: 'The position of the first item to return.', default: 0 },
  count: {
    description:
      'How many items to return, in either dialect: at most 5000, more is taken for that. At `offset` 0 it is always 25.',
    default: 250,
  },
  chunk: {
    description: 'The number that the client gives this page: handed back in `passthrough`.',
    default: 0,
  },
  since: GET_MEMBERS.since,
  updatedBefore: GET_MEMBERS.updatedBefore,
  hasAnnotations: GET_MEMBERS.hasAnnotations,
  annotations: { ...GET_MEMBERS.annotations, default: 1 },
  taglist: GET_MEMBERS.taglist,
  forcetaglist: GET_MEMBERS.forcetaglist,
  shares: {
    description:
      '1: the answer has `recent_friends`, `auto_complete_emails` and `unconfirmed_shares`, which are always empty.',
    default: 0,
  },
} as const satisfies Readonly<Record<string, SchemaObject>>;
