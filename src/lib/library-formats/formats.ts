import { bestMatch, type Match } from './best-match.js';
import type { Format, Source } from './format.js';
import { chromeJson } from './formats/bookmarks/chrome-json.js';
import { firefoxJson } from './formats/bookmarks/firefox-json.js';
import { instapaperHtml } from './formats/bookmarks/instapaper-html.js';
import { netscape } from './formats/bookmarks/netscape.js';
import { urlList } from './formats/bookmarks/url-list.js';
import { diigo } from './formats/diigo.js';
import { genericCsv } from './formats/generic-csv.js';
import { goodlinks } from './formats/goodlinks.js';
import { googleSaved } from './formats/google-saved.js';
import { karakeep } from './formats/karakeep.js';
import { linkace } from './formats/linkace.js';
import { linkding } from './formats/linkding.js';
import { linkwarden } from './formats/linkwarden.js';
import { matter } from './formats/matter.js';
import { mymind } from './formats/mymind.js';
import { omnivore } from './formats/omnivore.js';
import { pinboard } from './formats/pinboard.js';
import { pinboardXml } from './formats/pinboard-xml.js';
import { pocketApi } from './formats/pocket-api.js';
import {
  pocketAnnotations,
  pocketCollection,
  pocketCsv,
  pocketHtml,
} from './formats/pocket-export.js';
import { raindrop } from './formats/raindrop.js';
import { readeck, readeckApi, readeckData } from './formats/readeck.js';
import { satchel } from './formats/satchel.js';
import { instapaper, readwise } from './formats/tables.js';
import { wallabag } from './formats/wallabag.js';
import { wallabagCsv } from './formats/wallabag-csv.js';
import { wallabagXml } from './formats/wallabag-xml.js';
import { UnknownFormatError, UnreadableFileError } from './library-formats.errors.js';
import { passwordRefusal } from './passwords.js';
import { possibleReadings } from './reading/encodings.js';
import { beginningOf } from './reading/text.js';
import { Head } from './recognition.js';

/**
 * The number of characters that are read to recognise the format of a file. The number is large, because the first
 * object of an export may contain a whole article, and all fields of the object are needed.
 */
const HEAD_LENGTH = 65_536;

/** All formats that can be imported. If a file matches several formats equally well, the first one is used. */
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
  wallabagXml,
  wallabagCsv,
  karakeep,
  linkwarden,
  linkding,
  goodlinks,
  pinboard,
  pinboardXml,
  readeck,
  readeckData,
  readeckApi,
  chromeJson,
  firefoxJson,
  pocketCsv,
  instapaper,
  readwise,
  raindrop,
  matter,
  diigo,
  linkace,
  mymind,
  googleSaved,
  genericCsv,
  urlList,
];

/**
 * Returns the format that best matches the beginning of a file.
 * @throws UnknownFormatError if no format matches.
 * @throws UnreadableFileError if the file contains passwords, or may contain passwords.
 */
export async function recognise(source: Source): Promise<Match> {
  const head = new Head(await beginningOf(source, HEAD_LENGTH));
  const match = bestMatch(FORMATS, head);
  const readings = [head.text, ...(head.isTable ? await possibleReadings(source) : [])];
  const refusal = passwordRefusal(head, readings, match?.format);
  if (refusal !== undefined) {
    throw new UnreadableFileError(refusal);
  }
  if (match === undefined) {
    throw new UnknownFormatError();
  }
  return match;
}
