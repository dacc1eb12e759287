/** What is around the list in every answer. */
export const ENVELOPE = {
  status: 1,
  complete: 1,
  error: null,
  search_meta: { search_type: 'normal' },
  since: 1763800003,
  maxActions: 30,
  cachetype: 'db',
};

/** An item whose page was not read. */
const item = (facts: {
  readonly item_id: string;
  readonly given_url: string;
  readonly given_title: string;
  readonly favorite: string;
}): Readonly<Record<string, unknown>> => ({
  ...{ item_id: facts.item_id, resolved_id: '0' },
  ...{ given_url: facts.given_url, given_title: facts.given_title },
  ...{ favorite: facts.favorite, status: '0' },
  ...{ time_added: '1763800001', time_updated: '1763800003', time_read: '0' },
  ...{ time_favorited: facts.favorite === '0' ? '0' : '1763800003', sort_id: 0 },
  ...{ resolved_title: facts.given_title, resolved_url: facts.given_url, excerpt: '' },
  ...{ is_article: '0', is_index: '0', has_video: '0', has_image: '0', word_count: '0' },
  ...{ lang: '', time_to_read: 0, listen_duration_estimate: 0 },
});

export const RFC = item({
  item_id: '8820866062756984',
  given_url: 'https://www.rfc-editor.org/rfc/rfc9110',
  given_title: 'HTTP Semantics',
  favorite: '1',
});

export const IANA = item({
  item_id: '5952284834408592',
  given_url: 'https://www.iana.org/help/example-domains',
  given_title: 'Example Domains',
  favorite: '0',
});

const TAGS_OF_RFC = {
  http: { item_id: '8820866062756984', tag: 'http' },
  standards: { item_id: '8820866062756984', tag: 'standards' },
};

export const COMPLETE_RFC = {
  ...RFC,
  tags: TAGS_OF_RFC,
  domain_metadata: { name: 'www.rfc-editor.org' },
};

export const ANNOTATIONS_OF_RFC = [
  {
    ...{ annotation_id: '0e1f4c1a-6f3b-4a52-9d0c-5d6f2c1b7a90', item_id: '8820866062756984' },
    ...{ quote: 'HTTP is a family of protocols', patch: '', version: '2' },
    created_at: '2025-11-22 08:26:40',
  },
];
