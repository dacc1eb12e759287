import type { ExportedItem, Library } from '../exported-item.js';
import { attribute, elementText, titleOf } from '../shown-texts.js';

const HEAD = `<!DOCTYPE html>
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

const MIDDLE = `		</ul>
		
		<h1>Read Archive</h1>
		<ul>
`;

const END = `		</ul>
	</body>
</html>
`;

/** Pocket's `ril_export.html`, byte for byte as it was laid out; the newest first. */
export async function* writePocketHtml(library: Library): AsyncGenerator<string> {
  yield HEAD;
  yield* rows(library, false);
  yield MIDDLE;
  yield* rows(library, true);
  yield END;
}

async function* rows(library: Library, areArchived: boolean): AsyncGenerator<string> {
  for await (const item of library.newestFirst()) {
    if (item.isArchived === areArchived) {
      yield rowOf(item);
    }
  }
}

function rowOf(item: ExportedItem): string {
  const tags = attribute(item.tags.join(','));
  const attributes = `href="${attribute(item.url)}" time_added="${item.timeAdded}" tags="${tags}"`;
  return `\t\t\t<li><a ${attributes}>${elementText(titleOf(item))}</a></li>\n`;
}
