import { escapeUTF8 } from 'entities';

import type { ExportedItem, Library } from './library.js';

const POCKET_HEAD = `<!DOCTYPE html>
<html>
	<!--So long and thanks for all the fish-->
	<head>
		<meta http-equiv="Content-Type" content="text/html; charset=UTF-8" />
		<title>Pocket Export</title>
	</head>
	<body>
		<h1>Unread</h1>
		<ul>
`;

const POCKET_MIDDLE = `		</ul>
		
		<h1>Read Archive</h1>
		<ul>
`;

const POCKET_END = `		</ul>
	</body>
</html>
`;

/**
 * The beginning of the exported bookmark file. If Satchel imports a file with this comment, it
 * imports the descriptions of the bookmarks as notes of the user (`netscape.ts`).
 */
const NETSCAPE_HEAD = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- Exported by Satchel -->
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
`;

const NETSCAPE_END = '</DL><p>\n';

/** Writes an HTML file in exactly the layout of Pocket's `ril_export.html`. The newest items come first. */
export async function* writePocketHtml(library: Library): AsyncGenerator<string> {
  yield POCKET_HEAD;
  yield* pocketRows(library, false);
  yield POCKET_MIDDLE;
  yield* pocketRows(library, true);
  yield POCKET_END;
}

async function* pocketRows(library: Library, areArchived: boolean): AsyncGenerator<string> {
  for await (const item of library.newestFirst()) {
    if (item.isArchived === areArchived) {
      yield pocketRow(item);
    }
  }
}

function pocketRow(item: ExportedItem): string {
  const tags = escapeUTF8(item.tags.join(','));
  const attributes = `href="${escapeUTF8(item.url)}" time_added="${item.timeAdded}" tags="${tags}"`;
  return `\t\t\t<li><a ${attributes}>${elementText(item.shownTitle)}</a></li>\n`;
}

/**
 * Writes a bookmark file that browsers and other services can import (docs/api/export.md). The newest items come first.
 */
export async function* writeNetscape(library: Library): AsyncGenerator<string> {
  yield NETSCAPE_HEAD;
  for await (const item of library.newestFirst()) {
    yield netscapeRow(item);
  }
  yield NETSCAPE_END;
}

function netscapeRow(item: ExportedItem): string {
  const attributes = [
    `HREF="${escapeUTF8(item.url)}"`,
    `ADD_DATE="${item.timeAdded}"`,
    `LAST_MODIFIED="${item.timeUpdated}"`,
    'PRIVATE="1"',
    `TOREAD="${item.isArchived ? 0 : 1}"`,
    ...(item.isFavorite ? ['DATA-IMPORTANT="true"'] : []),
    `TAGS="${escapeUTF8(item.tags.join(','))}"`,
  ];
  const note = item.note === '' ? '' : `    <DD>${escapeUTF8(item.note)}\n`;
  return `    <DT><A ${attributes.join(' ')}>${elementText(item.shownTitle)}</A>\n${note}`;
}

/**
 * Escapes a text for an HTML element. Replaces line ends with spaces, because some programs read the file line by line.
 * Browsers show line ends and spaces in the same way.
 */
const elementText = (text: string): string => escapeUTF8(text.replaceAll(/\s+/g, ' '));
