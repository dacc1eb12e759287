import type { SchemaObject } from 'openapi3-ts/oas31';

import { CustomParam, RequiredParam, TextParam, TimestampParam } from '../../pocket-api/params.js';
import type { Address } from '../list/address.js';
import { givenTitle } from '../list/item-texts.js';
import type { TagName } from '../list/tag-name.js';
import { readAddress, readTags } from '../list-param-readers.js';

/** The schema of tags in requests. The rules for tag names are in tag-name.ts. */
export const TAGS_SCHEMA: SchemaObject = {
  type: ['string', 'array'],
  items: { type: 'string' },
  maxItems: 1000,
  description:
    'Names separated by commas, or an array of names. A name has at most 100 characters and no comma. An item has at most 50 tags. Tags that differ only in case are the same tag.',
};

/** Descriptions of the parameters of `/v3/add` for the API document (docs/api/add.md). */
export const ADD_PARAMS = {
  url: {
    type: 'string',
    maxLength: 4096,
    description:
      'The URL of the page to save: an http or https URL of at most 4096 bytes. If the scheme is missing, the service adds `http://`. Different spellings of a URL belong to the same item.',
  },
  title: {
    description:
      'The title that is shown if the page itself has no title. Cut after 1000 characters.',
  },
  tags: TAGS_SCHEMA,
  status_ref_id: {
    description:
      'The id of the post in a social network in which the user found the page. The service does not store this id.',
  },
  tweet_id: { description: 'Another name for `status_ref_id`.' },
  ref_id: { description: 'Another name for `status_ref_id`.' },
  time: {
    description:
      'The time of the save, in Unix seconds. A number with thirteen or more digits is in milliseconds. The default is the current time, which also replaces 0 and a time in the future.',
  },
  html: {
    description: 'The HTML of the page in the browser of the client.',
  },
} as const satisfies Readonly<Record<string, SchemaObject>>;

/** The item that a call of `/v3/add` saves. */
export interface ItemToAdd {
  readonly address: Address;
  readonly title: string | undefined;
  readonly tags: readonly TagName[];
  /** The time at which the item was added in Unix seconds, by the clock of the client. */
  readonly time: number | undefined;
  /** The HTML of the page, as the browser of the client has loaded it (docs/api/add.md). */
  readonly html: string | undefined;
}

/**
 * The maximum length of a title, in UTF-16 units. It is large, because long titles are cut later instead of rejected.
 */
const MAX_TITLE_LENGTH = 1_000_000;

const MAX_REFERENCE_LENGTH = 200;

/** The maximum length of HTML from a client, in UTF-16 units. A page that the service fetches has the same maximum. */
const MAX_HTML_LENGTH = 2_000_000;

/** The parameters of `/v3/add` (specification of the v3 API, "POST /v3/add"). */
export class AddRequest {
  @RequiredParam(readAddress, ADD_PARAMS.url)
  url!: Address;

  @TextParam({ max: MAX_TITLE_LENGTH }, ADD_PARAMS.title)
  title?: string;

  @CustomParam(readTags, ADD_PARAMS.tags)
  tags?: readonly TagName[];

  // `tweet_id` and the next two parameters are accepted but ignored (docs/api/add.md).
  @TextParam({ max: MAX_REFERENCE_LENGTH }, ADD_PARAMS.tweet_id)
  tweet_id?: string;

  @TextParam({ max: MAX_REFERENCE_LENGTH }, ADD_PARAMS.status_ref_id)
  status_ref_id?: string;

  @TextParam({ max: MAX_REFERENCE_LENGTH }, ADD_PARAMS.ref_id)
  ref_id?: string;

  @TimestampParam(ADD_PARAMS.time)
  time?: number;

  @TextParam({ max: MAX_HTML_LENGTH }, ADD_PARAMS.html)
  html?: string;

  toItem(): ItemToAdd {
    return {
      address: this.url,
      title: givenTitle(this.title ?? ''),
      tags: this.tags ?? [],
      // Some clients send 0 if they have no time. The value 0 is never a real time, because no page was saved in 1970.
      time: this.time === 0 ? undefined : this.time,
      html: this.html,
    };
  }
}
