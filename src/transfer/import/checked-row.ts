import { hash } from 'node:crypto';

import type {
  AnnotationToImport,
  ItemToImport,
  PassageRange,
} from '../../lib/library-formats/format.js';
import { clean, cut } from '../../lib/util/clean-text.js';
import { cleanNote, cutNote, isNoteTooLong } from '../../lib/util/item-note.js';
import { parsePageDetails } from '../../reading-list/details/page-details.js';
import type {
  EarlierRows,
  ImportedAnnotation,
  ImportedItem,
} from '../../reading-list/imports/imported-item.js';
import { givenTitle } from '../../reading-list/list/item-texts.js';
import { MAX_TAG_LENGTH, parseTagName, type TagName } from '../../reading-list/list/tag-name.js';
import {
  MAX_NOTE,
  MAX_PATCH,
  MAX_QUOTE,
  MAX_RANGE_PATH,
  MAX_RANGES,
} from '../../reading-list/list/tracked-annotations.js';
import { addressOfRow } from './row-address.js';

/**
 * A row of an imported file, converted to an item that the list can store. `leftOut` describes the parts of the row
 * that the list cannot store.
 */
export interface CheckedRow {
  readonly item: ImportedItem;
  readonly leftOut: readonly string[];
}

/**
 * The data for computing the times of an imported row, in unix seconds. `timeAdded` is used if the
 * row contains no time of addition. Times later than `now` are invalid.
 */
interface RowTimes {
  readonly now: number;
  readonly timeAdded: number;
  /**
   * Data about earlier rows of the file that contain the same page as this row. Undefined if no earlier row contains
   * this page.
   */
  readonly earlier?: EarlierRows | undefined;
  /** True if the newest items are at the beginning of the file. */
  readonly isFromNewestFirst?: boolean | undefined;
}

/**
 * Converts a row of an imported file to an item that the list can store. Returns undefined if the address of the row is
 * not a URL.
 */
export function checkedRow(row: ItemToImport, times: RowTimes): CheckedRow | undefined {
  const address = addressOfRow(row);
  if (address === undefined) {
    return undefined;
  }
  const moments = momentsOf(row, times);
  const title = titleOf(row);
  const { tags, refused } = checkedTags(row.tags ?? []);
  const { annotations, leftOut } = checkedAnnotations(row.annotations ?? [], {
    createdAt: moments.timeAdded,
    now: times.now,
  });
  const item = {
    address,
    title,
    tags,
    prefersGivenTitle: row.prefersGivenTitle,
    status: row.status,
    favorite: row.favorite,
    number: isNumber(row.number) ? row.number : undefined,
    note: cutNote(noteIn(row)),
    annotations,
    details: row.details && parsePageDetails(row.details),
    ...moments,
    ...orderOf(times),
  };
  const lost = [...endsOf(row, title), ...refused, ...leftOut, ...invalidDetails(row)];
  return { item, leftOut: [...timeErrors(row, times), ...lost] };
}

/** Returns one description for each invalid detail of the page, such as an invalid author. */
function invalidDetails({ details = {} }: ItemToImport): readonly string[] {
  const valid = parsePageDetails(details);
  return Object.keys(details)
    .filter((name) => !Object.hasOwn(valid, name))
    .map((name) => `the detail "${name}"`);
}

const orderOf = ({
  isFromNewestFirst,
  earlier,
}: RowTimes): Pick<ImportedItem, 'isFromNewestFirst' | 'earlier'> => ({
  isFromNewestFirst: isFromNewestFirst === true,
  earlier,
});

/**
 * The largest item number (a short id for wallabag clients) that an import accepts. Item numbers
 * have 31 bits, so at least half of them stay available for new items.
 */
const LARGEST_NUMBER = 2 ** 30;

const isNumber = (number = 0): boolean => number >= 1 && number <= LARGEST_NUMBER;

const noteIn = ({ note = '' }: ItemToImport): string => cleanNote(note);

/** Returns one description for each text of an imported row that is cut because it is too long. */
const endsOf = (row: ItemToImport, title: string | undefined): readonly string[] => [
  ...(title !== undefined && title.length < clean(row.title ?? '').trim().length
    ? ['the end of the title']
    : []),
  ...(isNoteTooLong(noteIn(row)) ? ['the end of the note'] : []),
];

/**
 * Returns the title of a row. Ignores a title that equals the address unless `prefersGivenTitle` is set, because some
 * services export the address if a page has no title.
 */
function titleOf({ title, url, prefersGivenTitle }: ItemToImport): string | undefined {
  const isAddress = prefersGivenTitle === undefined && title?.trim() === url.trim();
  return title === undefined || isAddress ? undefined : givenTitle(clean(title));
}

type Moments = Pick<
  ImportedItem,
  'timeAdded' | 'saysTimeAdded' | 'timeRead' | 'timeFavorited' | 'asOf'
>;

function momentsOf(row: ItemToImport, { now, timeAdded: usual }: RowTimes): Moments {
  const moment = (time = 0): number => (isMoment(time, now) ? Math.trunc(time) : 0);
  const added = moment(row.timeAdded);
  const asOf = Math.max(...[row.timeUpdated, row.timeRead, row.timeFavorited].map(moment), added);
  const timeAdded = added === 0 ? Math.min(usual, now) : added;
  const since = (time: number | undefined): number => moment(time) || asOf || timeAdded;
  return {
    timeAdded,
    saysTimeAdded: added !== 0,
    timeRead: row.status === 1 ? since(row.timeRead) : 0,
    timeFavorited: row.favorite === 1 ? since(row.timeFavorited) : 0,
    asOf,
  };
}

function timeErrors(row: ItemToImport, { now }: RowTimes): readonly string[] {
  const marked = (row.annotations ?? []).map(({ createdAt }) => createdAt);
  const told = [row.timeAdded, row.timeUpdated, row.timeRead, row.timeFavorited, ...marked];
  return told.every((time) => time === undefined || time === 0 || isMoment(time, now))
    ? []
    : ['a time that is none, or is still to come'];
}

interface CheckedTags {
  readonly tags: readonly TagName[];
  readonly refused: readonly string[];
}

function checkedTags(names: readonly string[]): CheckedTags {
  const tags = new Map<string, TagName>();
  const refused: string[] = [];
  for (const name of names.map((text) => clean(text).trim()).filter((text) => text !== '')) {
    const kept = cut(name, MAX_TAG_LENGTH);
    const tag = parseTagName(kept);
    if (tag === undefined || kept !== name) {
      refused.push(`${tag === undefined ? 'the tag' : 'the end of the tag'} "${cut(name, 40)}"`);
    }
    if (tag !== undefined && !tags.has(tag.id)) {
      tags.set(tag.id, tag);
    }
  }
  return { tags: [...tags.values()], refused };
}

const ID = /^[\w-]{1,64}$/;
const VERSION = /^\d{1,4}$/;
const USUAL_VERSION = '2';
const ID_LENGTH = 32;

interface Marked {
  /** The time in unix seconds that is stored for annotations without a time. */
  readonly createdAt: number;
  readonly now: number;
}

interface CheckedAnnotations {
  readonly annotations: readonly ImportedAnnotation[];
  readonly leftOut: readonly string[];
}

/**
 * Returns the annotations of a row that the list can store, and descriptions of the parts that the list cannot store.
 * The same annotation always gets the same id, so a second import of the file adds no duplicates.
 */
function checkedAnnotations(
  given: readonly AnnotationToImport[],
  marked: Marked,
): CheckedAnnotations {
  const kept = given.filter(({ quote }) => quote.length <= MAX_QUOTE);
  const tooLong = given.length - kept.length;
  const cutNotes = kept.filter(({ note = '' }) => note.length > MAX_NOTE).length;
  const unplaced = kept.filter(({ ranges = [] }) => !areRanges(ranges)).length;
  return {
    annotations: kept.map((annotation) => checked(annotation, marked)),
    leftOut: [
      ...(tooLong === 0 ? [] : [`${tooLong} annotations of more than ${MAX_QUOTE} characters`]),
      ...(cutNotes === 0 ? [] : [`the ends of the notes of ${cutNotes} annotations`]),
      ...(unplaced === 0 ? [] : [`the places of ${unplaced} annotations`]),
    ],
  };
}

function checked(given: AnnotationToImport, marked: Marked): ImportedAnnotation {
  const { createdAt, now } = marked;
  const quote = clean(given.quote);
  const at = isMoment(given.createdAt ?? 0, now) ? Math.trunc(given.createdAt ?? 0) : 0;
  const givenId = matching(ID, given.annotationId);
  return {
    annotationIdOn: (itemId) => givenId ?? idOf(`${itemId} ${at} ${quote || textOfNote(given)}`),
    quote,
    patch: patchOf(given),
    version: matching(VERSION, given.version) ?? USUAL_VERSION,
    ...noteOf(given),
    ...rangesOf(given),
    ...(given.color !== undefined && { color: given.color }),
    createdAt: at || createdAt,
  };
}

const textOfNote = ({ note = '' }: AnnotationToImport): string => note;

/** Returns the note of an annotation. Shortens a note that is too long, because its beginning is still useful. */
const noteOf = ({ note = '' }: AnnotationToImport): Pick<ImportedAnnotation, 'note'> =>
  note === '' ? {} : { note: clean(note.slice(0, MAX_NOTE).toWellFormed()) };

const rangesOf = ({ ranges = [] }: AnnotationToImport): Pick<ImportedAnnotation, 'ranges'> =>
  ranges.length > 0 && areRanges(ranges) ? { ranges } : {};

const areRanges = (ranges: readonly PassageRange[]): boolean =>
  ranges.length <= MAX_RANGES &&
  ranges.every(({ start, end }) => Math.max(start.length, end.length) <= MAX_RANGE_PATH);

const matching = (pattern: RegExp, text = ''): string | undefined =>
  pattern.test(text) ? text : undefined;

const patchOf = ({ patch = '' }: AnnotationToImport): string =>
  patch.length > MAX_PATCH ? '' : clean(patch);

const idOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, ID_LENGTH);

/**
 * Returns true if a time in unix seconds is positive and not in the future. A future time would
 * make the imported data seem newer than later changes by the user.
 */
const isMoment = (time: number, now: number): boolean => time >= 1 && time <= now;
