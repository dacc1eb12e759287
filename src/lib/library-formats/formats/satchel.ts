import { clean, cut } from '../../util/clean-text.js';
import { defined } from '../../util/defined.js';
import type {
  DetailsToImport,
  Format,
  ImportRow,
  ItemToImport,
  ListRow,
  ListToImport,
  RefusedRow,
  RowPlace,
  RuleActionsToImport,
  Source,
} from '../format.js';
import { namesLeftOut, type NotImportedFields } from '../not-imported.js';
import { itemFrom, NoItem, refused, rowFrom, TOO_LARGE } from '../reading/item-from.js';
import { membersOfLine } from '../reading/json-line.js';
import { Members } from '../reading/members.js';
import {
  countOf,
  flagOf,
  membersOf,
  POCKET_STATUSES,
  textOf,
  textsOf,
} from '../reading/read-value.js';
import { decodedText, type Line, linesOf } from '../reading/text.js';
import { mark } from '../recognition.js';
import { historyOf } from './pocket-api.js';

/**
 * The maximum length of a line in characters. A longer line is refused without being parsed. An exported line can
 * contain an article of six million characters, and its JSON is longer.
 */
const MAX_LINE = 16_000_000;
/** Longer names are cut. The import refuses names of more than 100 characters. */
const MAX_LIST_NAME = 300;
const HEADER = mark('the first line of an export of Satchel', /^\s*\{\s*"satchel"\s*:\s*\d/);

const LEFT_OUT = namesLeftOut({ page: ['page', 'article'] });

/** The format of Satchel's own export. After a header, each line is a JSON object with all data of one item. */
export const satchel: Format = {
  name: 'satchel',
  syntax: 'json',
  recognitions: [{ has: [HEADER] }],
  rows: rowsOf,
};

async function* rowsOf(source: Source, notImported?: NotImportedFields): AsyncGenerator<ImportRow> {
  for await (const lines of linesOf(decodedText(source.bytes()), MAX_LINE)) {
    for (const line of lines) {
      if (line.text.trim() !== '' && !(line.number === 1 && HEADER.isIn(line.text))) {
        yield await rowOf(source.path, line, notImported);
      }
    }
  }
}

async function rowOf(
  path: string,
  { number, text, isTooLong }: Line,
  notImported?: NotImportedFields,
): Promise<ImportRow> {
  const place = { path, line: number };
  if (isTooLong) {
    return refused(place, 'The line is longer than any row can be.', text);
  }
  const members = await membersOfLine(text);
  if (members === undefined) {
    return refused(place, 'The line is no JSON: it may have broken off.', text);
  }
  if (members === 'too large') {
    return refused(place, TOO_LARGE, text);
  }
  const row = members.has('saved_list')
    ? listRowOf(place, membersOf(members.get('saved_list')))
    : rowFrom(place, itemOf(members), text);
  if (notImported !== undefined && !('reason' in row)) {
    countNotImported(members, path, notImported);
  }
  return row;
}

/** Refuses a list without its conditions, or with conditions of a later version. It would show too many items. */
function listRowOf(place: RowPlace, members: Members): ListRow | RefusedRow {
  const name = cut(clean(textOf(members.get('name'))), MAX_LIST_NAME);
  const conditions = conditionsIn(members.get('conditions'));
  if (conditions === undefined) {
    return refused(place, 'The conditions of the list are missing or no texts.', name);
  }
  const list = {
    name,
    conditions,
    isPinned: flagOf(members.get('pinned')) === 1,
    feed: feedOf(textOf(members.get('feed'))),
    isShelf: flagOf(members.get('shelf')) === 1,
    ruleActions: members.has('rule') ? ruleActionsOf(membersOf(members.get('rule'))) : undefined,
  };
  return { place, list, text: name };
}

function conditionsIn(value: unknown): ListToImport['conditions'] | undefined {
  const texts = value instanceof Members ? value.texts() : undefined;
  return texts && Object.fromEntries(texts.map(([name, text]) => [clean(name), clean(text)]));
}

function ruleActionsOf(members: Members): RuleActionsToImport {
  const tags = textsOf(members.get('tags'));
  const has = (name: string): boolean => flagOf(members.get(name)) === 1;
  return {
    ...(tags.length > 0 && { tags }),
    ...(has('archive') && { archive: true }),
    ...(has('favorite') && { favorite: true }),
    ...(has('e_reader') && { eReader: true }),
  };
}

const feedOf = (text: string): ListToImport['feed'] =>
  text === 'excerpts' || text === 'articles' ? text : null;

/** Returns the details of a page, such as its author. Returns undefined if the row contains no details. */
function detailsOf(members: Members): DetailsToImport | undefined {
  const text = (name: string): string | undefined => textOf(members.get(name)) || undefined;
  const details = defined<DetailsToImport>({
    originUrl: text('origin_url'),
    publishedAt: text('published_at'),
    authors: textsOf(members.get('authors')).join(',') || undefined,
    language: text('language'),
    previewPicture: text('preview_picture'),
  });
  return Object.keys(details).length === 0 ? undefined : details;
}

function countNotImported(members: Members, path: string, notImported: NotImportedFields): void {
  const names = new Set<string>();
  members.collectNotImported('', LEFT_OUT, names);
  names.forEach((name) => {
    notImported.count(path, 'key', name);
  });
}

function itemOf(members: Members): ItemToImport | NoItem {
  const prefersGivenTitle = members.meaning('prefers_given_title', flagOf);
  const title = textOf(members.get('title'));
  const item = itemFrom({
    url: textOf(members.get('url')),
    prefersGivenTitle: prefersGivenTitle === undefined ? undefined : prefersGivenTitle === 1,
    tags: textsOf(members.get('tags')),
    status: members.meaning('status', (value) => POCKET_STATUSES.get(textOf(value))),
    ...historyOf(members),
    number: countOf(members.get('number')),
    details: detailsOf(membersOf(members.get('details'))),
  });
  // `itemFrom` drops a title that equals the URL. Satchel's own export contains such a title only
  // if a user or the page has set it, so it is kept.
  return item instanceof NoItem || title === '' ? item : { ...item, title };
}
