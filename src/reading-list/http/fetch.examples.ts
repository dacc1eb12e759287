import type { CallExample } from '../../common/openapi/operation.js';
import { ANNOTATIONS_OF_RFC, COMPLETE_RFC, ENVELOPE, IANA } from './example-items.js';

const COMPLETE_IANA = { ...IANA, tags: {}, domain_metadata: { name: 'www.iana.org' } };
const PASSTHROUGH = { firstChunkSize: '25', fetchChunkSize: '250', chunk: '0' };

/** Calls of fetch, on the list of the examples of get. */
export const FETCH_EXAMPLES: Readonly<Record<string, CallExample>> = {
  first: {
    summary: 'The first load of an app',
    body: { offset: 0, chunk: 0, shares: 1, forcetaglist: 1 },
    answer: {
      ...ENVELOPE,
      list: {
        '5952284834408592': COMPLETE_IANA,
        '8820866062756984': { ...COMPLETE_RFC, sort_id: 1, annotations: ANNOTATIONS_OF_RFC },
      },
      ...{ total: '2', tags: ['http', 'standards'], passthrough: PASSTHROUGH },
      ...{ recent_friends: [], auto_complete_emails: [], unconfirmed_shares: [] },
    },
  },
  next: {
    summary: 'A later page, of which there is nothing',
    body: { offset: 25, count: 250, chunk: 1 },
    answer: {
      ...{ ...ENVELOPE, list: {}, total: '2' },
      passthrough: { ...PASSTHROUGH, chunk: '1' },
    },
  },
  wrong: { summary: 'A position that is none', body: { offset: -1 }, status: 400 },
};
