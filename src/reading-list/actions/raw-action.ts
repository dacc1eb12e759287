import { randomUUID } from 'node:crypto';

import {
  cleanNote,
  isNoteAnnotationId,
  isNoteTooLong,
  MAX_NOTE_BYTES,
} from '../../lib/util/item-note.js';
import {
  isAbsent,
  readId,
  readTimestamp,
  textReader,
  Unreadable,
} from '../../pocket-api/param-readers.js';
import { Refusal } from '../list/action-outcome.js';
import { normalAddress } from '../list/address.js';
import { givenTitle } from '../list/item-texts.js';
import type { ItemReference } from '../list/list-state.js';
import { parseTagName, type TagName } from '../list/tag-name.js';
import { MAX_NOTE, MAX_PATCH, MAX_QUOTE, type NewAnnotation } from '../list/tracked-annotations.js';
import { readTags } from '../list-param-readers.js';

/**
 * Reads a text. The maximum length is high, because `givenTitle` shortens long titles instead of
 * rejecting them.
 */
const readText = textReader({ max: 1_000_000 });

/**
 * One action as the client sent it. Each method reads one parameter and returns a refusal if the parameter is invalid.
 */
export class RawAction {
  private constructor(private readonly fields: object) {}

  /** Returns the action, or undefined if the value is not a JSON object. */
  static from(value: unknown): RawAction | undefined {
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? new RawAction(value)
      : undefined;
  }

  /** Returns the value of a parameter. Returns undefined for null and blank text, as for a missing parameter. */
  field(name: string): unknown {
    const value = this.own(name);
    return value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value;
  }

  time(): number | undefined | Refusal {
    const value = this.field('time');
    // Some clients send 0 if they have no time. The value 0 is never a real time, because no page was saved in 1970.
    const time = value === undefined ? 0 : readTimestamp(value);
    if (time instanceof Unreadable) {
      return Refusal.malformed('Invalid time', value);
    }
    return time === 0 ? undefined : time;
  }

  /** Returns a reference to the item by its id. If the id is missing, returns a reference by its URL. */
  item(): ItemReference | Refusal {
    return this.itemById() ?? this.itemByUrl() ?? noItem();
  }

  /** Returns a reference to the item by its URL. If the URL is missing, returns a reference by its id. */
  itemToAdd(): ItemReference | Refusal {
    return this.itemByUrl() ?? this.itemById() ?? noItem();
  }

  title(): string | undefined | Refusal {
    const value = this.field('title');
    const text = readText(value ?? '');
    return text instanceof Unreadable
      ? Refusal.malformed('Invalid title', value)
      : givenTitle(text);
  }

  /** Returns the note. The parameter is required, but a blank value is allowed and removes the stored note. */
  note(): string | Refusal {
    const value = this.own('note') ?? undefined;
    if (value === undefined) {
      return Refusal.malformed('Action must have note field');
    }
    const text = readText(value);
    const note = text instanceof Unreadable ? undefined : cleanNote(text);
    return note === undefined || isNoteTooLong(note)
      ? Refusal.malformed(`Invalid note: it must be text of at most ${MAX_NOTE_BYTES} bytes`)
      : note;
  }

  tag(name: 'tag' | 'old_tag' | 'new_tag'): TagName | Refusal {
    const value = this.field(name);
    if (value === undefined) {
      return Refusal.malformed(`Action must have ${name} field`);
    }
    const text = readText(value);
    const tag = text instanceof Unreadable ? undefined : parseTagName(text);
    return tag ?? Refusal.malformed('Invalid tag', value);
  }

  /** Returns the tags of the action. Refuses an empty list. */
  tags(): readonly TagName[] | Refusal {
    const tags = this.tagsEvenEmpty();
    return tags instanceof Refusal || tags.length > 0
      ? tags
      : Refusal.malformed('Tags input cannot be empty');
  }

  /** Returns the tags of the action. The parameter is required, but blank text or an empty array means no tags. */
  tagsEvenEmpty(): readonly TagName[] | Refusal {
    return (this.own('tags') ?? null) === null
      ? Refusal.malformed('Action must have tags field')
      : this.tagsOrNone();
  }

  tagsOrNone(): readonly TagName[] | Refusal {
    const value = this.field('tags') ?? [];
    const tags = readTags(value);
    return tags instanceof Unreadable ? Refusal.malformed('Invalid tags', value) : tags;
  }

  /** Returns the value of a parameter. Ignores inherited properties, such as `constructor`. */
  private own(name: string): unknown {
    return Object.hasOwn(this.fields, name) ? Reflect.get(this.fields, name) : undefined;
  }

  private itemById(): ItemReference | Refusal | undefined {
    const value = this.field('item_id');
    const itemId = value === undefined ? '0' : readId(value);
    if (itemId instanceof Unreadable) {
      return Refusal.malformed('Invalid item_id', value);
    }
    return itemId === '0' ? undefined : { itemId };
  }

  private itemByUrl(): ItemReference | Refusal | undefined {
    const value = this.field('url');
    if (value === undefined) {
      return undefined;
    }
    const address = typeof value === 'string' ? normalAddress(value) : undefined;
    return address === undefined ? Refusal.malformed('Invalid url', value) : { address };
  }
}

const noItem = (): Refusal =>
  Refusal.malformed('Invalid action: must provide either item_id or url');

const ID = /^[\w-]{1,64}$/;
const VERSION = /^\d{1,4}$/;
const USUAL_VERSION = '2';

const readQuote = textReader({ max: MAX_QUOTE });
const readPatch = textReader({ max: MAX_PATCH });
const readNote = textReader({ max: MAX_NOTE });

/** Parses a highlight from a client. Creates an id if the client sends none. */
export function readAnnotation(value: unknown): NewAnnotation | Refusal {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return Refusal.malformed('Action must have annotation field');
  }
  const fields = new Map<string, unknown>(Object.entries(value));
  const annotationId = idOf(fields.get('annotation_id'));
  const texts = textsOf(fields);
  if (annotationId instanceof Refusal || texts === undefined) {
    return annotationId instanceof Refusal ? annotationId : Refusal.malformed('Invalid annotation');
  }
  return { ...texts, annotationId, version: versionOf(fields.get('version')) };
}

/** Returns the id of the highlight. Rejects ids that are reserved for the notes of items. */
function idOf(value: unknown): string | Refusal {
  const annotationId = isAbsent(value) ? randomUUID() : readAnnotationId(value);
  return typeof annotationId === 'string' && isNoteAnnotationId(annotationId)
    ? Refusal.malformed('Invalid annotation_id', annotationId)
    : annotationId;
}

/**
 * Returns the texts of a highlight, or undefined if a text is invalid or the quote is blank. An empty note removes the
 * stored note, and a missing note leaves it unchanged.
 */
function textsOf(
  fields: ReadonlyMap<string, unknown>,
): Pick<NewAnnotation, 'quote' | 'patch' | 'note'> | undefined {
  const quote = readQuote(fields.get('quote') ?? '');
  const patch = readPatch(fields.get('patch') ?? '');
  const note = noteIn(fields.get('note') ?? undefined);
  const isReadable = !(quote instanceof Unreadable || patch instanceof Unreadable);
  return isReadable && !isAbsent(quote) && note !== undefined
    ? { quote, patch, ...note }
    : undefined;
}

function noteIn(value: unknown): Pick<NewAnnotation, 'note'> | undefined {
  const note = value === undefined ? undefined : readNote(value);
  if (note instanceof Unreadable) {
    return undefined;
  }
  return note === undefined ? {} : { note };
}

export function readAnnotationId(value: unknown): string | Refusal {
  return typeof value === 'string' && ID.test(value)
    ? value
    : Refusal.malformed('Invalid annotation_id', value);
}

const versionOf = (value: unknown): string =>
  (typeof value === 'string' || typeof value === 'number') && VERSION.test(String(value))
    ? String(value)
    : USUAL_VERSION;
