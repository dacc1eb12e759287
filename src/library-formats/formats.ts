import { bestMatch, type Match } from './best-match.js';
import type { Format, Source } from './format.js';
import { chromeJson } from './formats/chrome-json.js';
import { firefoxJson } from './formats/firefox-json.js';
import { instapaperHtml } from './formats/instapaper-html.js';
import { karakeep } from './formats/karakeep.js';
import { linkwarden } from './formats/linkwarden.js';
import { netscape } from './formats/netscape.js';
import { omnivore } from './formats/omnivore.js';
import { pocketApi } from './formats/pocket-api.js';
import {
  pocketAnnotations,
  pocketCollection,
  pocketCsv,
  pocketHtml,
} from './formats/pocket-export.js';
import { satchel } from './formats/satchel.js';
import { genericCsv, instapaper, readwise } from './formats/tables.js';
import { urlList } from './formats/url-list.js';
import { wallabag } from './formats/wallabag.js';
import { UnknownFormatError, UnreadableFileError } from './library-formats.errors.js';
import { holdsPasswords } from './passwords.js';
import { beginningOf } from './reading/text.js';
import { Head } from './recognition.js';

/** Enough for the first object of an export that holds articles. */
const HEAD_LENGTH = 65_536;

const PASSWORDS =
  'The file contains passwords. Satchel does not import it and stores nothing of it. Delete the file, and import your bookmarks without passwords.';

/** Of formats that match equally well, the first wins. */
const FORMATS: readonly Format[] = [
  satchel,
  netscape,
  instapaperHtml,
  pocketHtml,
  pocketApi,
  pocketAnnotations,
  pocketCollection,
  omnivore,
  wallabag,
  karakeep,
  linkwarden,
  chromeJson,
  firefoxJson,
  pocketCsv,
  instapaper,
  readwise,
  genericCsv,
  urlList,
];

/**
 * Returns the format that best fits the beginning of a file.
 *
 * @throws UnknownFormatError if no format fits.
 * @throws UnreadableFileError if the file contains passwords.
 */
export async function recognise(source: Source): Promise<Match> {
  const head = new Head(await beginningOf(source, HEAD_LENGTH));
  if (holdsPasswords(head)) {
    throw new UnreadableFileError(PASSWORDS);
  }
  const match = bestMatch(FORMATS, head);
  if (match === undefined) {
    throw new UnknownFormatError();
  }
  return match;
}
