import { clean, cut } from '../../util/clean-text.js';
import { defined } from '../../util/defined.js';
import { cleanNote } from '../../util/item-note.js';
import type {
  AnnotationToImport,
  ImportRow,
  ItemToImport,
  RefusedRow,
  RowPlace,
} from '../format.js';
import { MOST_VALUES } from './members.js';

/** The reason for a refused row that is too large, as a text for the user. */
export const TOO_LARGE = 'The entry is larger than any saved page can be.';

/** The result for a row without an item. `reason` is a text for the user. */
export class NoItem {
  constructor(readonly reason: string) {}
}

/**
 * The fields of an item that a format has read from a row. A field is missing or undefined if the row does not contain
 * it.
 */
export type ItemParts = {
  readonly [K in keyof Omit<ItemToImport, 'folders'>]?: ItemToImport[K] | undefined;
} & {
  /** The folders, lists or collections that contain the page. Each path begins with the name of the outermost folder. */
  readonly folders?: readonly (readonly string[])[];
};

/**
 * The maximum total length of the tags of one item in an imported file, in characters. An item in Satchel can have 50
 * tags of 100 characters, which is half of this maximum.
 */
const MAX_TAGS_LENGTH = 10_000;
const TAGS_TOO_LONG = `The tags have more than ${MAX_TAGS_LENGTH} characters.`;

/**
 * The number of characters from a refused row that the import report shows. With this text, the user can find the row
 * in the file.
 */
const SHOWN = 200;

/**
 * Returns the item for the fields of a row. Drops a title that only repeats the URL, and removes characters that
 * PostgreSQL rejects.
 */
export function itemFrom(parts: ItemParts): ItemToImport | NoItem {
  const url = clean(parts.url ?? '').trim();
  if (url === '') {
    return new NoItem('There is no URL.');
  }
  return lengthOf([...(parts.tags ?? []), ...(parts.folders ?? []).flat()]) > MAX_TAGS_LENGTH
    ? new NoItem(TAGS_TOO_LONG)
    : itemAt(url, parts);
}

function itemAt(url: string, parts: ItemParts): ItemToImport {
  const title = clean(parts.title ?? '').trim();
  return defined<ItemToImport>({
    ...parts,
    url,
    title: title === '' || title === url ? undefined : title,
    ...tagsAndFolders(parts),
    annotations: nonEmpty(passagesFrom(parts.annotations ?? [])),
    note: cleanNote(parts.note ?? '') || undefined,
  });
}

export const rowFrom = (place: RowPlace, item: ItemToImport | NoItem, text: string): ImportRow =>
  item instanceof NoItem ? refused(place, item.reason, text) : { place, item };

/** Marks a row as part of a file with the newest items at the beginning. Returns a refused row unchanged. */
export const newestFirst = (row: ImportRow): ImportRow =>
  'item' in row ? { ...row, isFromNewestFirst: true } : row;

export const refused = (place: RowPlace, reason: string, text = ''): RefusedRow => ({
  place,
  reason,
  text: cut(clean(text).trim(), SHOWN),
});

/**
 * Returns the tags of an item. Replaces commas within a tag with spaces, because commas separate the tags in API
 * requests.
 */
function tagsFrom(names: readonly string[]): readonly string[] {
  const tags = new Set(names.slice(0, MOST_VALUES).map(tagFrom));
  tags.delete('');
  return [...tags];
}

/** Returns the tags and the folders of an item. Ignores folders without a name. */
function tagsAndFolders({ tags = [], folders = [] }: ItemParts) {
  const paths = new Set(
    folders
      .slice(0, MOST_VALUES)
      .map((names) => names.map(tagFrom).filter((name) => name !== ''))
      .map((names) => names.join('/')),
  );
  paths.delete('');
  return {
    tags: nonEmpty(tagsFrom([...tags, ...folders.flat()])),
    folders: paths.size === 0 ? undefined : { paths: [...paths], otherTags: tagsFrom(tags) },
  };
}

const tagFrom = (name: string): string =>
  clean(name)
    .replaceAll(/[\s,]+/g, ' ')
    .trim();

const lengthOf = (texts: readonly string[]): number =>
  texts.slice(0, MOST_VALUES).reduce((sum, { length }) => sum + length, 0);

const passagesFrom = (all: readonly AnnotationToImport[]): readonly AnnotationToImport[] =>
  all.slice(0, MOST_VALUES).flatMap(withWords);

function withWords(annotation: AnnotationToImport): readonly AnnotationToImport[] {
  const { annotationId, quote, patch, version, note, ranges, createdAt, color } = annotation;
  const kept = defined<AnnotationToImport>({
    annotationId: annotationId === undefined ? undefined : clean(annotationId),
    quote: clean(quote),
    patch: patch === undefined ? undefined : clean(patch),
    version: version === undefined ? undefined : clean(version),
    note: note === undefined ? undefined : clean(note),
    ranges: ranges?.map((range) => ({
      ...range,
      start: clean(range.start),
      end: clean(range.end),
    })),
    createdAt,
    color,
  });
  return saysSomething(kept) ? [kept] : [];
}

/** Returns true if an annotation is not empty: it has a quote, a note or a range. */
const saysSomething = ({ quote, note = '', ranges = [] }: AnnotationToImport): boolean =>
  quote.trim() !== '' || note.trim() !== '' || ranges.length > 0;

const nonEmpty = <T>(all: readonly T[]): readonly T[] | undefined =>
  all.length === 0 ? undefined : all;
