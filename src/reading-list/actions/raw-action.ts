import { normalAddress } from '../list/address.js';
import { givenTitle } from '../list/given-title.js';
import type { ItemReference } from '../list/item-reference.js';
import { Refusal } from '../list/outcome.js';
import { parseTagName, parseTagNames, splitTags, type TagName } from '../list/tag-name.js';
import { parseTime } from './raw-time.js';

const DIGITS = /^\d{1,19}$/;
const MAX_ID = 2n ** 63n - 1n;

/** One action as the client sent it: every member is untrusted, is read once, and may be refused. */
export class RawAction {
  private constructor(private readonly members: object) {}

  /** Undefined for what is no JSON object. */
  static from(value: unknown): RawAction | undefined {
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? new RawAction(value)
      : undefined;
  }

  /** Undefined for null and blank text, which are as good as absent. */
  member(name: string): unknown {
    const value = this.own(name);
    return value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value;
  }

  time(): number | undefined | Refusal {
    const value = this.member('time');
    // Nothing was saved in 1970: 0 is how some clients leave the time out.
    if (value === undefined || value === 0 || value === '0') {
      return undefined;
    }
    return parseTime(value) ?? Refusal.malformed('Invalid time', value);
  }

  /** The item by its id, by its URL without one. */
  item(): ItemReference | Refusal {
    return this.itemById() ?? this.itemByUrl() ?? noItem();
  }

  /** The item by its URL, by its id without one. */
  itemToAdd(): ItemReference | Refusal {
    return this.itemByUrl() ?? this.itemById() ?? noItem();
  }

  title(): string | undefined | Refusal {
    const value = this.member('title');
    // Some clients print a missing title.
    if (value === undefined || value === 'null') {
      return undefined;
    }
    return typeof value === 'string'
      ? givenTitle(value)
      : Refusal.malformed('Invalid title', value);
  }

  tag(name: 'tag' | 'old_tag' | 'new_tag'): TagName | Refusal {
    const value = this.member(name);
    if (value === undefined) {
      return Refusal.malformed(`Action must have ${name} field`);
    }
    const tag = typeof value === 'string' ? parseTagName(value) : undefined;
    return tag ?? Refusal.malformed('Invalid tag', value);
  }

  /** At least one tag. */
  tags(): readonly TagName[] | Refusal {
    const tags = this.tagsEvenEmpty();
    return tags instanceof Refusal || tags.length > 0
      ? tags
      : Refusal.malformed('Tags input cannot be empty');
  }

  /** Any number of tags, but they are given: a blank text or an empty array says "none". */
  tagsEvenEmpty(): readonly TagName[] | Refusal {
    return (this.own('tags') ?? null) === null
      ? Refusal.malformed('Action must have tags field')
      : this.tagsOrNone();
  }

  tagsOrNone(): readonly TagName[] | Refusal {
    const value = this.member('tags') ?? [];
    const texts: unknown = typeof value === 'string' ? splitTags(value) : value;
    const tags = isTexts(texts) ? parseTagNames(texts) : undefined;
    return tags ?? Refusal.malformed('Invalid tags', value);
  }

  /** A plain look-up would find what `Object.prototype` has. */
  private own(name: string): unknown {
    return Object.hasOwn(this.members, name) ? Reflect.get(this.members, name) : undefined;
  }

  private itemById(): ItemReference | Refusal | undefined {
    const value = this.member('item_id');
    // A number beyond 2^53 has lost digits on its way: it would mean another item.
    const isId = Number.isSafeInteger(value) || typeof value === 'string';
    const digits = isId ? String(value).trim() : '';
    if (value === undefined || /^0+$/.test(digits)) {
      return undefined;
    }
    return DIGITS.test(digits) && BigInt(digits) <= MAX_ID
      ? { itemId: String(BigInt(digits)) }
      : Refusal.malformed('Invalid item_id', value);
  }

  private itemByUrl(): ItemReference | Refusal | undefined {
    const value = this.member('url');
    if (value === undefined) {
      return undefined;
    }
    const address = typeof value === 'string' ? normalAddress(value) : undefined;
    return address === undefined ? Refusal.malformed('Invalid url', value) : { address };
  }
}

const noItem = (): Refusal =>
  Refusal.malformed('Invalid action: must provide either item_id or url');

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');
