import type { ExportedItem, Library } from '../exported-item.js';
import { attribute, elementText, titleOf } from '../shown-texts.js';

const HEAD = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
`;

const END = '</DL><p>\n';

/** The bookmark file that browsers and other services read; the newest first (docs/api/export.md). */
export async function* writeNetscape(library: Library): AsyncGenerator<string> {
  yield HEAD;
  for await (const item of library.newestFirst()) {
    yield rowOf(item);
  }
  yield END;
}

function rowOf(item: ExportedItem): string {
  const attributes = [
    `HREF="${attribute(item.url)}"`,
    `ADD_DATE="${item.timeAdded}"`,
    `LAST_MODIFIED="${item.timeUpdated}"`,
    'PRIVATE="1"',
    `TOREAD="${item.isArchived ? 0 : 1}"`,
    ...(item.isFavorite ? ['DATA-IMPORTANT="true"'] : []),
    `TAGS="${attribute(item.tags.join(','))}"`,
  ];
  return `    <DT><A ${attributes.join(' ')}>${elementText(titleOf(item))}</A>\n`;
}
