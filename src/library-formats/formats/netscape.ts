import type { ItemToImport } from '../format.js';
import { htmlFormat, type Surroundings } from '../reading/html-format.js';
import type { HtmlLink } from '../reading/html-link.js';
import { itemFrom, type NoItem } from '../reading/item-from.js';
import { flagOf, isRootFolder } from '../reading/read-value.js';
import { unixSeconds } from '../reading/seconds.js';
import { mark } from '../recognition.js';

type Attributes = Readonly<Record<string, string>>;

const DOCTYPE = mark('the doctype of bookmarks', /<!doctype\s+netscape-bookmark-file-1/i);
const LINK = mark('links after `<dt>`', /<dt>\s*<a\s/i);
/** By these attributes browsers mark the folders that they make. */
const ROOT_MARKS = ['personal_toolbar_folder', 'unfiled_bookmarks_folder'];
/** How linkding says that a bookmark is in its archive. */
const ARCHIVED_TAG = 'linkding:archived';
/** Deeper folders are lists that are never closed. */
const MAX_FOLDERS = 50;
/** Longer than any tag; it is read again with each link of the folder. */
const MAX_NAME = 200;

/** The bookmarks of browsers and of most tools; the folders in which a link lies become tags. */
export const netscape = htmlFormat({
  name: 'netscape',
  recognitions: [{ has: [[DOCTYPE, LINK]] }],
  leftOut: {
    page: ['icon', 'icon_uri', 'data-cover'],
    setting: ['last_visit', 'private', 'shortcuturl'],
  },
  surroundings: () => new Folders(),
});

class Folders implements Surroundings {
  readonly #names: string[] = [];
  /** What was said last of the list that follows. */
  #name = '';
  #isOpen = false;
  #isRoot = false;

  onOpen(name: string, attributes: Attributes): void {
    if (name === 'h3') {
      this.#isOpen = true;
      this.#name = '';
      this.#isRoot = ROOT_MARKS.some((mark) => mark in attributes);
    } else if (name === 'dl') {
      this.#isOpen = false;
      this.#names.splice(MAX_FOLDERS);
      this.#names.push(this.#isRoot || isRootFolder(this.#name) ? '' : this.#name);
      this.#name = '';
    }
  }

  onText(text: string): void {
    if (this.#isOpen && this.#name.length < MAX_NAME) {
      this.#name += text.slice(0, MAX_NAME);
    }
  }

  onClose(name: string): void {
    this.#isOpen &&= name !== 'h3';
    if (name === 'dl') {
      this.#names.pop();
    }
  }

  itemOf(link: HtmlLink): ItemToImport | NoItem {
    const tags = (link.attribute('tags') ?? '').split(',').map((tag) => tag.trim());
    return itemFrom({
      url: link.attribute('href'),
      title: link.text,
      tags: [...tags, ...this.#names].filter((tag) => tag !== ARCHIVED_TAG),
      status: tags.includes(ARCHIVED_TAG) ? 1 : statusOf(link.attribute('toread')),
      favorite: flagOf(link.attribute('data-important')),
      timeAdded: unixSeconds(link.attribute('add_date') ?? ''),
      timeUpdated: unixSeconds(link.attribute('last_modified') ?? ''),
    });
  }
}

/** `TOREAD="0"` says that there is nothing left to read. */
function statusOf(toRead: string | undefined): 0 | 1 | undefined {
  const flag = flagOf(toRead);
  return flag === undefined ? undefined : flag === 1 ? 0 : 1;
}
