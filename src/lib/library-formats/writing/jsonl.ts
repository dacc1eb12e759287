import { noteAnnotationId } from '../../util/item-note.js';
import type {
  AnnotatedItem,
  ExportedAnnotation,
  ExportedDetails,
  ExportedItem,
  ExportedList,
  ExportedPage,
  ExportedRule,
  Library,
} from './library.js';

/** The first line of the export. It identifies Satchel's format and the version of the format. */
const HEAD = { satchel: 1 };

/**
 * Writes an export with all data in Satchel's own format (docs/api/export.md). Each line is a JSON object, whose fields
 * have a fixed order.
 */
export async function* writeJsonLines(
  library: Library,
  { withArticles }: { readonly withArticles: boolean },
): AsyncGenerator<string> {
  yield lineOf(HEAD);
  for await (const saved of library.annotatedItems()) {
    const page = withArticles ? await library.page(saved.item.itemId) : undefined;
    yield lineOf({ ...itemFields(saved), ...(page && pageFields(page)) });
  }
  for (const list of await library.savedLists()) {
    yield lineOf({ saved_list: listFields(list) });
  }
}

const lineOf = (value: object): string => `${JSON.stringify(value)}\n`;

const listFields = ({ name, conditions, isPinned, feed, isShelf, rule }: ExportedList): object => ({
  name,
  conditions,
  pinned: isPinned,
  feed,
  shelf: isShelf,
  ...(rule !== undefined && { rule: ruleFields(rule) }),
});

const ruleFields = ({ actions, isOn }: ExportedRule): object => ({
  tags: actions.tags ?? [],
  archive: actions.archive === true,
  favorite: actions.favorite === true,
  e_reader: actions.eReader === true,
  on: isOn,
});

const itemFields = ({ item, annotations, details }: AnnotatedItem): object => ({
  url: item.url,
  title: item.title,
  prefers_given_title: item.prefersGivenTitle,
  tags: item.tags,
  status: item.isArchived ? 'archive' : 'unread',
  favorite: item.isFavorite,
  time_added: item.timeAdded,
  time_updated: item.timeUpdated,
  time_read: item.timeRead,
  time_favorited: item.timeFavorited,
  number: item.number,
  ...(item.note !== '' && { note: item.note }),
  ...annotationsOf(item, annotations.map(annotationFields)),
  ...(details !== undefined && detailFields(details)),
});

/**
 * Returns the annotations of an item for the export. Adds the note of the item as an annotation, for programs that read
 * only annotations (docs/decisions/0093).
 */
function annotationsOf(item: ExportedItem, highlights: readonly object[]): object {
  const note = item.note === '' ? [] : [noteFields(item)];
  const annotations = [...note, ...highlights];
  return annotations.length === 0 ? {} : { annotations };
}

const noteFields = ({ itemId, timeAdded, note }: ExportedItem): object => ({
  annotation_id: noteAnnotationId(itemId),
  quote: '',
  created_at: timeAdded,
  note,
});

/**
 * Returns the details of an item's page, such as its author. Omits the id of the public link,
 * because the link is valid only in this installation of Satchel.
 */
function detailFields(details: ExportedDetails): object {
  const fields = Object.entries({
    origin_url: details.originUrl,
    published_at: details.publishedAt,
    authors: details.authors,
    language: details.language,
    preview_picture: details.previewPicture,
  }).filter(([, value]) => value !== null);
  return fields.length === 0 ? {} : { details: Object.fromEntries(fields) };
}

const annotationFields = (annotation: ExportedAnnotation): object => ({
  annotation_id: annotation.annotationId,
  quote: annotation.quote,
  patch: annotation.patch,
  version: annotation.version,
  created_at: annotation.createdAt,
  color: annotation.color,
  ...(annotation.note !== '' && { note: annotation.note }),
  ...(annotation.ranges !== null && { ranges: annotation.ranges }),
});

const pageFields = ({ article, ...page }: ExportedPage): object => ({
  page: {
    resolved_url: page.resolvedUrl,
    title: page.title,
    excerpt: page.excerpt,
    lang: page.lang,
    word_count: page.wordCount,
    top_image_url: page.topImageUrl,
    authors: page.authors,
  },
  article,
});
