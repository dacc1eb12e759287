import type { SchemaObject } from 'openapi3-ts/oas31';

import { MAX_NOTE_BYTES } from '../../lib/util/item-note.js';
import type { Schema } from '../../platform/common/openapi.js';
import { TIMESTAMP_SCHEMA } from '../../pocket-api/param-readers.js';
import type { SentActionName } from '../actions/action.js';
import { ADD_PARAMS, TAGS_SCHEMA } from '../add/add.request.js';
import { MAX_NOTE, MAX_PATCH, MAX_QUOTE } from '../list/tracked-annotations.js';

const TAG: SchemaObject = { type: 'string', description: 'The name of one tag.' };

const ITEM_ID: SchemaObject = {
  type: ['string', 'integer'],
  pattern: String.raw`^\d{1,19}$`,
  description: 'The id of the item, as a number or as text.',
};

const ITEM = {
  item_id: ITEM_ID,
  url: { ...ADD_PARAMS.url, description: 'The URL of the item, if `item_id` is missing.' },
};

const ANNOTATION_ID: SchemaObject = {
  type: 'string',
  pattern: String.raw`^[\w-]{1,64}$`,
  description: 'The id of the annotation, usually a UUID.',
};

const ANNOTATION: SchemaObject = {
  type: 'object',
  description:
    'The highlight. If the item has a highlight with the same id, the new highlight replaces the stored highlight.',
  properties: {
    annotation_id: {
      ...ANNOTATION_ID,
      description: 'The id that the client chooses. If the id is missing, the service creates one.',
    },
    quote: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_QUOTE,
      description: 'The highlighted words.',
    },
    patch: {
      type: 'string',
      maxLength: MAX_PATCH,
      description:
        'The position of the words: a diff that inserts marks around the words. Stored unchanged.',
    },
    version: {
      type: ['string', 'integer'],
      description: 'The version of the format of `patch`.',
      default: '2',
    },
    note: {
      type: 'string',
      maxLength: MAX_NOTE,
      description:
        'The note of the user about the highlight. If the field is missing, the stored note stays.',
    },
  },
  required: ['quote'],
};

interface ActionDoc {
  readonly effect: string;
  readonly fields: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const onItem = (effect: string): ActionDoc => ({ effect, fields: ITEM });

const onItemWithTags = (effect: string): ActionDoc => ({
  effect,
  fields: { ...ITEM, tags: TAGS_SCHEMA },
  required: ['tags'],
});

const ACTIONS: { readonly [N in SentActionName]: ActionDoc } = {
  add: {
    effect:
      'Saves a page, or moves a saved page to the top as unread. The title in the action wins over the title of the page.',
    fields: {
      url: ADD_PARAMS.url,
      item_id: {
        ...ITEM_ID,
        description: 'The id of an item in the list, if `url` is missing.',
        deprecated: true,
      },
      title: { type: 'string', description: 'The title. Cut after 1000 characters.' },
      tags: TAGS_SCHEMA,
      ref_id: {
        type: ['string', 'integer'],
        description: 'The id of the post in which the user found the page.',
        deprecated: true,
      },
    },
  },
  archive: onItem('Moves the item to the archive.'),
  readd: onItem('Moves the item from the archive to the top of the unread items.'),
  favorite: onItem('Marks the item as a favorite.'),
  unfavorite: onItem('Removes the favorite mark from the item.'),
  delete: onItem('Deletes the item permanently.'),
  undo_archive: onItem('Moves the item from the archive back to its former position.'),
  undo_delete: onItem(
    'Fails for a deleted item, because deletion is permanent. Has no effect on an existing item.',
  ),
  tags_add: onItemWithTags('Adds tags to the item.'),
  tags_remove: onItemWithTags('Removes tags from the item.'),
  tags_replace: onItemWithTags(
    'Replaces all tags of the item with these tags. Blank text or an empty array removes all tags.',
  ),
  tags_clear: onItem('Removes all tags from the item.'),
  tag_rename: {
    effect: 'Renames a tag on all items. If the new tag exists, the two tags are merged.',
    fields: { old_tag: TAG, new_tag: TAG },
    required: ['old_tag', 'new_tag'],
  },
  tag_delete: {
    effect: 'Removes a tag from all items.',
    fields: { tag: TAG },
    required: ['tag'],
  },
  add_annotation: {
    effect: 'Adds a highlight to the article. An item has at most 100 annotations.',
    fields: { ...ITEM, annotation: ANNOTATION },
    required: ['annotation'],
  },
  delete_annotation: {
    effect: 'Deletes a highlight.',
    fields: { annotation_id: ANNOTATION_ID },
    required: ['annotation_id'],
  },
  set_note: {
    effect: 'Stores the note of the user about the page. Pocket does not have this action.',
    fields: {
      ...ITEM,
      note: {
        type: 'string',
        maxLength: MAX_NOTE_BYTES,
        description: `The note, at most ${MAX_NOTE_BYTES} bytes of UTF-8. Blank text removes the stored note.`,
      },
    },
    required: ['note'],
  },
};

const TIME: SchemaObject = {
  ...TIMESTAMP_SCHEMA,
  description:
    'The time of the change in Unix seconds, by the clock of the client. The default is the current time, which also replaces 0 and a time in the future.',
};

const schemaOf = ([name, { effect, fields, required = [] }]: [string, ActionDoc]): Schema => ({
  type: 'object',
  title: name,
  description: effect,
  properties: { action: { const: name }, ...fields, time: TIME },
  required: ['action', ...required],
  ...('item_id' in fields && { anyOf: [{ required: ['item_id'] }, { required: ['url'] }] }),
});

const OTHER: SchemaObject = {
  type: 'object',
  title: 'other',
  description:
    'Usage reports of the Pocket apps (`opened_app`, `pv`, `left_item` …) succeed and have no effect. Any other action fails with 130.',
  properties: {
    action: {
      type: 'string',
      not: { enum: Object.keys(ACTIONS) },
      description: 'The name of the action.',
    },
  },
  required: ['action'],
  additionalProperties: true,
};

/**
 * The schema of one element of `actions`. An element that matches no schema fails, but the other elements are still
 * applied.
 */
export const ACTION: SchemaObject = {
  description: 'One change to the list.',
  anyOf: [...Object.entries(ACTIONS).map(schemaOf), OTHER],
};
