import type { ItemToImport } from '../../format.js';
import { htmlFormat, type Surroundings } from '../../reading/html-format.js';
import type { HtmlLink } from '../../reading/html-link.js';
import { itemFrom, NoItem } from '../../reading/item-from.js';
import { flagOf, isRootFolder } from '../../reading/read-value.js';
import { unixSeconds } from '../../reading/seconds.js';
import { mark } from '../../recognition.js';
import { hasNotes, noteOfLink } from './netscape-tools.js';

type Attributes = Readonly<Record<string, string>>;

const DOCTYPE = mark('the doctype of bookmarks', /<!doctype\s+netscape-bookmark-file-1/i);
const LINK = mark('links after `<dt>`', /<dt>\s*<a\s/i);
/**
 * Attributes with which browsers mark their own folders. Unlike the folders' names, the attributes are the same in
 * every language.
 */
const ROOT_MARKS = ['personal_toolbar_folder', 'unfiled_bookmarks_folder'];
/** The id with which Safari marks its reading list. The id is the same in every language. */
const READING_LIST = 'com.apple.readinglist';
/** The tags with which linkding marks archived bookmarks. Version 1.40 renamed the tag. */
const ARCHIVED_TAGS: ReadonlySet<string> = new Set([
  'linkding:archived',
  'linkding:bookmarks.archived',
]);
/** Matches the addresses with which Shaarli exports texts that are not links. */
const RELATIVE_URL = /^(?:\?|\/(?!\/))/;
const WITHOUT_PAGE = 'The entry has no web address of its own: it is a note, not a page.';
/** Elements whose text describes the bookmark file and the tool that wrote it. */
const ABOUT_TAGS = new Set(['title', 'h1']);
const MAX_ABOUT = 2_000;
/** The maximum depth of folders. Deeper folders are the result of lists that are never closed. */
const MAX_FOLDERS = 50;
/**
 * The maximum length of a folder's name in characters, which is more than a tag can have. The length matters, because
 * the name is read again for each link of the folder.
 */
const MAX_NAME = 200;

/** The format of the bookmark files of browsers and most tools. The folders around a link become tags. */
export const netscape = htmlFormat({
  name: 'netscape',
  recognitions: [{ has: [[DOCTYPE, LINK]] }],
  leftOut: {
    page: ['icon', 'icon_uri', 'data-cover'],
    id: ['id', 'guid'],
    setting: ['last_visit', 'last_charset', 'private'],
  },
  surroundings: () => new Folders(),
});

/** Tracks the folders around a link, and detects the tool that wrote the bookmark file. */
class Folders implements Surroundings {
  readonly #names: string[] = [];
  /** The last heading, which is the name of the folder whose list follows. */
  #name = '';
  #isOpen = false;
  #isRoot = false;
  #about = '';
  #isInAbout = false;
  #hasHeading = false;
  #hasNotes: boolean | undefined;

  onOpen(name: string, attributes: Attributes): void {
    if (name === 'h3') {
      this.#isOpen = true;
      this.#name = '';
      this.#isRoot =
        ROOT_MARKS.some((one) => one in attributes) ||
        attributes['id']?.toLowerCase() === READING_LIST;
    } else if (name === 'dl') {
      this.#isOpen = false;
      this.#names.splice(MAX_FOLDERS);
      this.#names.push(this.#isRoot || isRootFolder(this.#name) ? '' : this.#name);
      this.#name = '';
    }
    this.#isInAbout = ABOUT_TAGS.has(name);
    this.#hasHeading ||= name === 'h1';
  }

  onComment(text: string): void {
    this.#addAbout(text);
  }

  onText(text: string): void {
    if (this.#isInAbout) {
      this.#addAbout(text);
    }
    if (this.#isOpen && this.#name.length < MAX_NAME) {
      this.#name += text.slice(0, MAX_NAME);
    }
  }

  onClose(name: string): void {
    this.#isOpen &&= name !== 'h3';
    this.#isInAbout &&= !ABOUT_TAGS.has(name);
    if (name === 'dl') {
      this.#names.pop();
    }
  }

  itemOf(link: HtmlLink): ItemToImport | NoItem {
    this.#hasNotes ??= hasNotes({
      about: this.#about.toLowerCase(),
      hasHeading: this.#hasHeading,
      attributes: link.attributeNames.join(' '),
    });
    if (RELATIVE_URL.test(link.attribute('href') ?? '')) {
      return new NoItem(WITHOUT_PAGE);
    }
    const tags = (link.attribute('tags') ?? '').split(',').map((tag) => tag.trim());
    return itemFrom({
      url: link.attribute('href'),
      title: link.text,
      tags: [...tags, ...this.#names].filter((tag) => !ARCHIVED_TAGS.has(tag)),
      status: tags.some((tag) => ARCHIVED_TAGS.has(tag)) ? 1 : statusOf(link.attribute('toread')),
      favorite: flagOf(link.attribute('data-important')),
      timeAdded: unixSeconds(link.attribute('add_date') ?? ''),
      timeUpdated: unixSeconds(link.attribute('last_modified') ?? ''),
      note: noteOfLink(link, this.#hasNotes),
    });
  }

  #addAbout(text: string): void {
    this.#about = `${this.#about} ${text.slice(0, MAX_ABOUT)}`.slice(0, MAX_ABOUT);
  }
}

/** Returns the status of a bookmark. The attribute `TOREAD="0"` means that the user has finished the page. */
function statusOf(toRead: string | undefined): 0 | 1 | undefined {
  const flag = flagOf(toRead);
  return flag === undefined ? undefined : flag === 1 ? 0 : 1;
}
