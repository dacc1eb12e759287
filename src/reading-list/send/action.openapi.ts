import type { SchemaObject } from 'openapi3-ts/oas31';

import { MAX_NOTE_BYTES } from '../../lib/util/item-note.js';
import type { Schema } from '../../platform/common/openapi.js';
import { TIMESTAMP_SCHEMA } from '../../pocket-api/param-readers.js';
import type { SentActionName } from '../actions/action.js';
import { ADD_PARAMS, TAGS_SCHEMA } from '../add/add.request.js';
import { MAX_NOTE, MAX_PATCH, MAX_QUOTE } from '../list/tracked-annotations.js';

const TAG: SchemaObject = { type: 'string', description: 'One tag.' };

const ITEM_ID: SchemaObject = {
  type: ['string', 'integer'],
  pattern: String.raw`^\d{1,19}$`,
  description: 'The item, as a number or as text.',
};

const ITEM = {
  item_id: ITEM_ID,
  url: { ...ADD_PARAMS.url, description: 'The item by its URL, without `item_id`.' },
};

const ANNOTATION_ID: SchemaObject = {
  type: 'string',
  pattern: String.raw`^[\w-]{1,64}$`,
  description: 'Identifies the annotation: a UUID as a rule.',
};

const ANNOTATION: SchemaObject = {
  type: 'object',
  description: 'The passage. What is sent again under one id replaces what was there.',
  properties: {
    annotation_id: {
      ...ANNOTATION_ID,
      description: 'Chosen by the client; without it, by the service.',
    },
    quote: { type: 'string', minLength: 1, maxLength: MAX_QUOTE, description: 'Its words.' },
    patch: {
      type: 'string',
      maxLength: MAX_PATCH,
      description: 'Where it stands: a diff that inserts marks around it. Kept as it is.',
    },
    version: { type: ['string', 'integer'], description: 'How `patch` is written.', default: '2' },
    note: {
      type: 'string',
      maxLength: MAX_NOTE,
      description: 'What the user has written about it. Absent: the note that is there stays.',
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
      'Saves a page, or brings it back to the top, unread. The given title wins over the one found.',
    fields: {
      url: ADD_PARAMS.url,
      item_id: { ...ITEM_ID, description: 'An item of the list, without `url`.', deprecated: true },
      title: { type: 'string', description: 'The title; cut after 1000 characters.' },
      tags: TAGS_SCHEMA,
      ref_id: {
        type: ['string', 'integer'],
        description: 'The post through which it was found.',
        deprecated: true,
      },
    },
  },
  archive: onItem('Moves the item to the archive.'),
  readd: onItem('Moves the item from the archive to the top of the unread ones.'),
  favorite: onItem('Marks the item as a favorite.'),
  unfavorite: onItem('Takes that mark away.'),
  delete: onItem('Deletes the item for good.'),
  undo_archive: onItem('Moves the item from the archive back to its place.'),
  undo_delete: onItem(
    'Fails for a deleted item, since deleting is for good; changes nothing on one that is there.',
  ),
  tags_add: onItemWithTags('Adds tags to the item.'),
  tags_remove: onItemWithTags('Removes tags from the item.'),
  tags_replace: onItemWithTags('Gives the item these tags alone; blank text or [] takes all away.'),
  tags_clear: onItem('Takes all tags from the item.'),
  tag_rename: {
    effect: 'Renames a tag on all items; into a tag that exists the two become one.',
    fields: { old_tag: TAG, new_tag: TAG },
    required: ['old_tag', 'new_tag'],
  },
  tag_delete: {
    effect: 'Takes a tag from all items.',
    fields: { tag: TAG },
    required: ['tag'],
  },
  add_annotation: {
    effect: 'Marks a passage of the article; at most 100 on an item.',
    fields: { ...ITEM, annotation: ANNOTATION },
    required: ['annotation'],
  },
  delete_annotation: {
    effect: 'Takes that mark away.',
    fields: { annotation_id: ANNOTATION_ID },
    required: ['annotation_id'],
  },
  set_note: {
    effect: 'Stores what the user wrote about the page. An addition of Satchel.',
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
  description: 'When it happened, by the clock of the client; a time to come, 0 or no time is now.',
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
    'What the apps of the original report about their use (`opened_app`, `pv`, `left_item` …) succeeds and changes nothing; any other name fails with 130.',
  properties: {
    action: { type: 'string', not: { enum: Object.keys(ACTIONS) }, description: 'The name.' },
  },
  required: ['action'],
  additionalProperties: true,
};

/** The schema of an element of `actions`. If an element matches no schema, only that action fails. */
export const ACTION: SchemaObject = {
  description: 'One change to the list.',
  anyOf: [...Object.entries(ACTIONS).map(schemaOf), OTHER],
};
