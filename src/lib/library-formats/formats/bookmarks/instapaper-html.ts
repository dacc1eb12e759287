import type { ItemToImport } from '../../format.js';
import { htmlFormat, type Surroundings } from '../../reading/html-format.js';
import type { HtmlLink } from '../../reading/html-link.js';
import { itemFrom, type NoItem } from '../../reading/item-from.js';
import { mark } from '../../recognition.js';
import { FOLDERS as OWN_FOLDERS } from '../tables.js';

const TITLE = mark('the title Instapaper: Export', /<title>\s*instapaper: export\s*<\/title>/i);
const HEADING = mark(
  'the heading Unread, Archive or Liked',
  /<h1>\s*(?:unread|archive|liked)\s*<\/h1>/i,
);
const ORDERED_LIST = mark('an ordered list of links', /<ol>\s*<li>\s*<a\s/i);
const OF_POCKET = mark('a sign of Pocket', /<title>\s*pocket export|<a\s[^<>]*\stime_added=/i);
const MAX_HEADING = 200;
const MAX_SELECTION = 10_000;

/**
 * The format of Instapaper's HTML export, which has a heading and a list for each folder.
 */
export const instapaperHtml = htmlFormat({
  name: 'instapaper-html',
  recognitions: [{ has: [TITLE] }, { has: [HEADING, ORDERED_LIST], hasNot: [OF_POCKET] }],
  surroundings: () => new FolderHeadings(),
});

class FolderHeadings implements Surroundings {
  #folder = '';
  #isInHeading = false;
  /** The text after the current link, which is a highlight of the linked page. */
  #selection = '';

  onOpen(name: string): void {
    this.#selection = '';
    this.#isInHeading = name === 'h1';
    if (this.#isInHeading) {
      this.#folder = '';
    }
  }

  onText(text: string): void {
    if (!this.#isInHeading) {
      this.#selection += text.slice(0, MAX_SELECTION - this.#selection.length);
    } else if (this.#folder.length < MAX_HEADING) {
      this.#folder += text.slice(0, MAX_HEADING);
    }
  }

  onClose(name: string): void {
    this.#isInHeading &&= name !== 'h1';
  }

  itemOf(link: HtmlLink): ItemToImport | NoItem {
    const folder = this.#folder.trim();
    const state = OWN_FOLDERS.get(folder.toLowerCase());
    const quote = this.#selection.replace(/^\s*:/, '').trim();
    this.#selection = '';
    return itemFrom({
      url: link.attribute('href'),
      title: link.text,
      folders: state === undefined ? [[folder]] : [],
      annotations: [{ quote }],
      ...(state ?? { status: 0 }),
    });
  }
}
