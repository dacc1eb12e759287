import { membersOf } from '../../common/openapi/member.js';
import { objectOf, ref, text } from '../../common/openapi/schema.js';
import type { SuggestedTag } from '../list/suggested-tags.js';
import { SuggestionsRequest } from './suggestions.request.js';
import { v3Operation } from './v3.operation.js';

/** The answer of suggested_tags. */
export interface WireSuggestions {
  readonly suggested_tags: readonly SuggestedTag[];
  readonly status: 1;
}

export const SUGGESTIONS_OPERATION = v3Operation({
  id: 'suggestedTags',
  summary: 'Suggest tags for an item',
  description:
    'Permission: retrieve. At most ten of the person’s own tags, the best first, without those that the item has: tags of other items of the same site, tags that its titles name, tags that are used most.',
  request: {
    name: 'SuggestionsRequest',
    members: membersOf(SuggestionsRequest),
    description: 'At most 64 KB.',
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
        summary: 'Tags for a page of a site of which there are items',
        body: { url: 'https://www.rfc-editor.org/rfc/rfc3986' },
        answer: {
          suggested_tags: [
            { tag: 'http', score: 0.7 },
            { tag: 'standards', score: 0.7 },
          ],
          status: 1,
        },
      },
      unknown: { summary: 'An item of nobody', body: { item_id: '1' }, status: 404 },
      wrong: { summary: 'Neither of the two', body: {}, status: 400 },
    },
  },
  answer: {
    status: 200,
    description: 'The tags.',
    content: { 'application/json': ref('Suggestions') },
  },
  errors: ['item_not_found'],
  schemas: {
    Suggestions: objectOf<WireSuggestions>({
      suggested_tags: {
        type: 'array',
        maxItems: 10,
        items: objectOf<SuggestedTag>({
          tag: text('Its name.'),
          score: { type: 'number', minimum: 0, maximum: 1, description: 'How well it fits.' },
        }),
        description: 'The best first.',
      },
      status: { const: 1 },
    }),
  },
});
