import { parsedUrl } from '../../util/parsed-url.js';
import type {
  AnnotatedItem,
  ExportedAnnotation,
  ExportedItem,
  ExportedPage,
  Library,
} from './library.js';

/**
 * Writes an export in the JSON format of wallabag: an array of entries with the fields of wallabag 2.6
 * (docs/api/export.md).
 */
export async function* writeWallabag(library: Library): AsyncGenerator<string> {
  let separator = '[';
  for await (const saved of library.annotatedItems()) {
    const page = await library.page(saved.item.itemId);
    yield `${separator}${JSON.stringify(entryOf(saved, page))}`;
    separator = ',\n';
  }
  yield separator === '[' ? '[]\n' : ']\n';
}

/**
 * Returns the wallabag entry for an item. `url` is the saved address, so that a later import finds
 * the existing item. An entry has only one title, so `title` is the title that lists show.
 */
const entryOf = (
  { item, annotations, details }: AnnotatedItem,
  page: ExportedPage | undefined,
): object => ({
  ...stateFields(item),
  title: item.shownTitle,
  url: item.url,
  given_url: item.url,
  ...(typeof details?.originUrl === 'string' && { origin_url: details.originUrl }),
  ...timeFields(item),
  annotations: [...notesOf(item), ...annotations.map(annotationOf)],
  ...contentFields(page?.article),
  ...(page !== undefined && pageFields(page)),
});

const stateFields = (item: ExportedItem): object => ({
  is_archived: item.isArchived ? 1 : 0,
  is_starred: item.isFavorite ? 1 : 0,
  tags: item.tags,
  is_public: false,
  id: item.number,
});

const timeFields = (item: ExportedItem): object => ({
  created_at: dateOf(item.timeAdded),
  updated_at: dateOf(item.timeUpdated),
  ...(item.isArchived && item.timeRead > 0 && { archived_at: dateOf(item.timeRead) }),
  ...(item.isFavorite && item.timeFavorited > 0 && { starred_at: dateOf(item.timeFavorited) }),
});

/**
 * Returns the fields `content` and `mimetype` of a wallabag entry. If the page has no article, both fields are empty,
 * so that the service that imports the entry fetches the page.
 */
const contentFields = (article: string | undefined): object =>
  article === undefined
    ? { content: '', mimetype: '' }
    : { content: article, mimetype: 'text/html' };

const WORDS_A_MINUTE = 200;

function pageFields(page: ExportedPage): object {
  const { lang, wordCount, resolvedUrl, topImageUrl, authors } = page;
  const site = parsedUrl(resolvedUrl);
  return {
    ...(authors.length > 0 && { published_by: namesOf(page) }),
    ...(lang !== '' && { language: lang }),
    reading_time: Math.floor(wordCount / WORDS_A_MINUTE),
    ...(site !== undefined && { domain_name: site.hostname }),
    ...(topImageUrl !== '' && { preview_picture: topImageUrl }),
  };
}

const namesOf = ({ authors }: ExportedPage): readonly string[] => authors.map(({ name }) => name);

/**
 * Returns the note of an item as an annotation without a quote, because a wallabag entry has no field for notes
 * (docs/decisions/0093).
 */
const notesOf = ({ note, timeAdded }: ExportedItem): readonly object[] =>
  note === '' ? [] : [{ text: note, created_at: dateOf(timeAdded), quote: '', ranges: [] }];

const annotationOf = ({ note, quote, ranges, createdAt }: ExportedAnnotation): object => ({
  text: note,
  created_at: dateOf(createdAt),
  quote,
  ranges: ranges ?? [],
});

/** Returns a time in the notation of wallabag, such as `2023-11-14T22:13:20+0000`. */
const dateOf = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, '+0000');
