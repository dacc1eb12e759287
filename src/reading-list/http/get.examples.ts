import type { CallExample } from '../../common/openapi/operation.js';
import { ANNOTATIONS_OF_RFC, COMPLETE_RFC, ENVELOPE, IANA, RFC } from './example-items.js';

/** Calls of get, on a list of three items one of which was deleted. */
export const GET_EXAMPLES: Readonly<Record<string, CallExample>> = {
  simple: {
    summary: 'The newest unread item, and how many there are',
    body: { state: 'unread', sort: 'newest', count: 1, offset: 0, total: 1 },
    answer: { ...ENVELOPE, list: { '5952284834408592': IANA }, total: '2' },
  },
  complete: {
    summary: 'All that is known of the items with one tag',
    body: { tag: 'http', detailType: 'complete' },
    answer: {
      ...ENVELOPE,
      list: {
        '8820866062756984': COMPLETE_RFC,
      },
    },
  },
  search: {
    summary: 'Favorites with a word in their title or URL',
    body: { search: 'semantics', favorite: 1, total: 1 },
    answer: {
      ...ENVELOPE,
      search_meta: {
        ...{ search_type: 'normal', total_result_count: 1 },
        ...{ count: 30, offset: 0, has_more: false },
      },
      list: { '8820866062756984': RFC },
      total: '1',
    },
  },
  annotations: {
    summary: 'The items in which a passage was marked, with the passages',
    body: { hasAnnotations: 1, annotations: 1 },
    answer: {
      ...ENVELOPE,
      list: { '8820866062756984': { ...RFC, annotations: ANNOTATIONS_OF_RFC } },
    },
  },
  changes: {
    summary: 'What changed since an earlier answer: one item was deleted',
    body: { since: 1763800002, state: 'all' },
    answer: {
      ...{ ...ENVELOPE, complete: 0 },
      list: {
        '7756775858943697': {
          item_id: '7756775858943697',
          status: '2',
          listen_duration_estimate: 0,
        },
      },
    },
  },
  nothing: {
    summary: 'A filter that no item passes',
    body: { contentType: 'video', domain: 'example.com' },
    answer: { ...ENVELOPE, list: {} },
  },
  wrong: {
    summary: 'A value that is none',
    body: { state: 'foo' },
    status: 400,
  },
};
