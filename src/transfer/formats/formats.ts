import type { Format } from './format.js';
import { genericCsv } from './generic-csv.js';
import { headOf } from './head.js';
import { instapaper } from './instapaper.js';
import { karakeep } from './karakeep.js';
import { linkwarden } from './linkwarden.js';
import { netscape } from './netscape.js';
import { omnivore } from './omnivore.js';
import { pocketAnnotations } from './pocket-annotations.js';
import { pocketApi } from './pocket-api.js';
import { pocketCollection } from './pocket-collection.js';
import { pocketCsv } from './pocket-csv.js';
import { pocketHtml } from './pocket-html.js';
import { readwise } from './readwise.js';
import { satchel } from './satchel.js';
import type { Source } from './source.js';
import { urlList } from './url-list.js';
import { wallabag } from './wallabag.js';

/** Those that tell more come first. */
const FORMATS: readonly Format[] = [
  satchel,
  netscape,
  pocketHtml,
  pocketApi,
  pocketAnnotations,
  pocketCollection,
  omnivore,
  wallabag,
  karakeep,
  linkwarden,
  pocketCsv,
  instapaper,
  readwise,
  genericCsv,
  urlList,
];

/** The first that matches how a file begins. */
export async function formatOf(source: Source): Promise<Format | undefined> {
  const head = await headOf(source);
  return FORMATS.find((format) => format.matches(head));
}
