import { membersOf } from '../../common/openapi/member.js';
import type { CallExample } from '../../common/openapi/operation.js';
import { ref } from '../../common/openapi/schema.js';
import { v3Operation } from '../../reading-list/http/v3.operation.js';
import { DOWNLOADED_EXAMPLE, TEXT_EXAMPLE } from './article.examples.js';
import { ArticleRequest } from './article.request.js';
import { ARTICLE } from './article.schemas.js';

const URL_TO_READ = 'https://www.iana.org/help/example-domains';

const examples = (answer: unknown): Readonly<Record<string, CallExample>> => ({
  article: {
    summary: 'An article',
    body: { url: URL_TO_READ, images: 1 },
    answer,
  },
  unread: {
    summary: 'A page that is not read yet',
    body: { url: 'https://www.rfc-editor.org/rfc/rfc9110' },
    status: 503,
  },
  strange: {
    summary: 'What is not in the list',
    body: { url: 'https://www.example.com/' },
    status: 404,
  },
  wrong: { summary: 'What is no page', body: { url: 'mailto:ada@example.com' }, status: 400 },
});

const articleOperation = (facts: {
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  readonly images: string;
  readonly answer: unknown;
}) =>
  v3Operation({
    id: facts.id,
    summary: facts.summary,
    description: `Permission: retrieve. The text of an item of the list, with marks in the places of its pictures and videos, which stand in \`images\` and \`videos\` under the same numbers. ${facts.images} A page that is not read yet is read while the call waits, for a moment. The original's members \`videos\`, \`refresh\` and \`output\` are accepted and ignored.`,
    request: {
      name: facts.name,
      members: membersOf(ArticleRequest),
      description: 'At most 64 KB.',
      examples: examples(facts.answer),
    },
    answer: {
      status: 200,
      description: 'The article.',
      content: { 'application/json': ref('Article') },
    },
    errors: ['item_not_found', 'no_article', 'page_not_read'],
    schemas: { Article: ARTICLE },
  });

export const TEXT_OPERATION = articleOperation({
  id: 'text',
  name: 'TextRequest',
  summary: 'Read an article',
  images: 'The addresses of pictures are those of their site.',
  answer: TEXT_EXAMPLE,
});

export const DOWNLOAD_OPERATION = articleOperation({
  id: 'download',
  name: 'DownloadRequest',
  summary: 'Read an article on an e-reader',
  images: 'Pictures come from this service, as JPEG or PNG of the size of a screen.',
  answer: DOWNLOADED_EXAMPLE,
});
