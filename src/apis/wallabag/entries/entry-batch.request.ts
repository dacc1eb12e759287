import { jsonIn } from '../../../platform/http/json-text.js';
import { type Reader, Unreadable } from '../../../pocket-api/param-readers.js';
import { CustomParam, RequiredParam } from '../../../pocket-api/params.js';
import { type Address, normalAddress } from '../../../reading-list/list/address.js';
import type { TagName } from '../../../reading-list/list/tag-name.js';
import { readLabels } from '../tags/tag.requests.js';

/** The maximum number of entries that one call can add. It is small, because the page of each entry is fetched. */
export const MAX_ADDED = 10;
const MAX_NAMED = 100;

/** A reference to an entry by its URL. */
export interface NamedEntry {
  /** The URL exactly as the client sent it. */
  readonly url: string;
  /** The parsed URL. Undefined if the text is not a URL. */
  readonly address: Address | undefined;
}

/** A reference to an entry, and the tags to add to the entry or to remove from the entry. */
export interface TaggedEntry extends NamedEntry {
  readonly tags: readonly TagName[];
}

const named = (url: string): NamedEntry => ({ url, address: normalAddress(url) });

const NO_URLS = new Unreadable(`must be a JSON array of at most ${MAX_NAMED} URLs`);
const NO_LIST = new Unreadable(
  `must be a JSON array of at most ${MAX_NAMED} objects with url and tags`,
);

/**
 * Reads an array, or JSON text that contains an array. Returns undefined for other values, and for an array with too
 * many elements.
 */
function arrayIn(value: unknown): readonly unknown[] | undefined {
  const read = typeof value === 'string' ? jsonIn(value) : value;
  return Array.isArray(read) && read.length <= MAX_NAMED ? read : undefined;
}

const readUrls: Reader<readonly NamedEntry[]> = (value) => {
  const urls = arrayIn(value);
  return urls?.every((url) => typeof url === 'string') === true ? urls.map(named) : NO_URLS;
};

const readTagged: Reader<readonly TaggedEntry[]> = (value) => {
  const tagged: TaggedEntry[] = [];
  for (const element of arrayIn(value) ?? [undefined]) {
    const entry = taggedEntry(element);
    if (entry instanceof Unreadable) {
      return entry;
    }
    tagged.push(entry);
  }
  return tagged;
};

function taggedEntry(value: unknown): TaggedEntry | Unreadable {
  const fields = new Map<string, unknown>(
    typeof value === 'object' && value !== null ? Object.entries(value) : [],
  );
  const url = fields.get('url');
  const tags = readLabels(fields.get('tags') ?? '');
  if (typeof url !== 'string') {
    return NO_LIST;
  }
  return tags instanceof Unreadable ? tags : { ...named(url), tags };
}

/** A parameter with URLs as JSON text, such as `["https://example.org/"]`. */
export class UrlsRequest {
  @RequiredParam(readUrls)
  urls!: readonly NamedEntry[];
}

/** A parameter with URLs and tags as JSON text, such as `[{"url":"https://example.org/","tags":"a,b"}]`. */
export class TagListRequest {
  @RequiredParam(readTagged)
  list!: readonly TaggedEntry[];
}

const readExpected: Reader<'id' | 'entry'> = (value) =>
  value === 'id' || value === 'entry' ? value : new Unreadable('must be id or entry');

/** Selects what a deletion returns: the id of the deleted entry, or the whole entry. */
export class DeletionRequest {
  @CustomParam(readExpected)
  expect?: 'id' | 'entry';
}
