import type { SchemaObject } from 'openapi3-ts/oas31';

/** Tags as clients write them (tag-name.ts has the rules). */
export const TAGS_SCHEMA: SchemaObject = {
  type: ['string', 'array'],
  items: { type: 'string' },
  maxItems: 1000,
  description:
    'Names separated by commas, or an array of names. A name has at most 100 characters and no comma; an item at most 50 tags. Case does not tell two tags apart.',
};

/** What each member of add means (docs/api/add.md). */
export const ADD_MEMBERS = {
  url: {
    type: 'string',
    maxLength: 4096,
    description:
      'The page to save: an http or https URL of at most 4096 bytes. Without a scheme it is http. Two spellings of one URL are one item.',
  },
  title: {
    description: 'Shown when the page itself has no title; cut after 1000 characters.',
  },
  tags: TAGS_SCHEMA,
  status_ref_id: {
    description:
      'The id of the post in a social network through which the page was found; not kept.',
  },
  tweet_id: { description: 'Another name of `status_ref_id`.' },
  ref_id: { description: 'Another name of `status_ref_id`.' },
  time: {
    description:
      'When the page was saved: Unix seconds, milliseconds from thirteen digits on; a time to come, 0 or none is now.',
  },
  html: {
    description: 'The page as the browser saw it.',
  },
} as const satisfies Readonly<Record<string, SchemaObject>>;
