import { membersOf } from '../../common/openapi/member.js';
import type { CallExample } from '../../common/openapi/operation.js';
import { ref } from '../../common/openapi/schema.js';
import { AddRequest } from './add.request.js';
import { ADDED, ADDED_ITEM } from './added-item.schema.js';
import { v3Operation } from './v3.operation.js';

const URL_TO_ADD = 'https://www.rfc-editor.org/rfc/rfc9110';

/** An item as it was given, before its page was read. */
export const ADDED_EXAMPLE = {
  ...{ item_id: '8820866062756984', normal_url: URL_TO_ADD },
  ...{ resolved_id: '0', extended_item_id: '0', resolved_url: URL_TO_ADD },
  ...{ domain_id: '0', origin_domain_id: '0', response_code: '0' },
  ...{ mime_type: '', content_length: '0', encoding: '' },
  ...{ date_resolved: '0000-00-00 00:00:00', date_published: '0000-00-00 00:00:00' },
  ...{ title: 'HTTP Semantics', excerpt: '', word_count: '0' },
  ...{ innerdomain_redirect: '0', login_required: '0', has_image: '0', has_video: '0' },
  ...{ is_index: '0', is_article: '0', used_fallback: '0', lang: '', time_first_parsed: '0' },
  ...{ authors: [], images: [], videos: [] },
  ...{ resolved_normal_url: URL_TO_ADD, given_url: URL_TO_ADD },
};

const EXAMPLES: Readonly<Record<string, CallExample>> = {
  page: {
    summary: 'A page with a title and two tags',
    body: { url: URL_TO_ADD, title: 'HTTP Semantics', tags: 'http,standards', time: 1763800000 },
    answer: { item: ADDED_EXAMPLE, status: 1 },
  },
  bare: {
    summary: 'A URL and nothing else',
    body: { url: URL_TO_ADD },
    answer: { item: ADDED_EXAMPLE, status: 1 },
  },
  wrong: {
    summary: 'What is no page',
    body: { url: 'mailto:ada@example.com' },
    status: 400,
  },
};

export const ADD_OPERATION = v3Operation({
  id: 'add',
  summary: 'Save a page',
  description:
    'Permission: add. A page that is in the list already keeps its id, comes to the top, unread, and gets the tags besides those it has. For several pages use `/v3/send`.',
  request: {
    name: 'AddRequest',
    members: membersOf(AddRequest),
    description: 'At most 6 MB.',
    examples: EXAMPLES,
  },
  answer: {
    status: 200,
    description: 'The item.',
    content: { 'application/json': ref('Added') },
  },
  errors: ['service_busy'],
  schemas: { Added: ADDED, AddedItem: ADDED_ITEM },
});
