import type { ItemToImport } from '../../format.js';
import { htmlFormat, type Surroundings } from '../../reading/html-format.js';
import type { HtmlLink } from '../../reading/html-link.js';
import { itemFrom, NoItem } from '../../reading/item-from.js';
import { flagOf, isRootFolder } from '../../reading/read-value.js';
import { unixSeconds } from '../../reading/seconds.js';
import { mark } from '../../recognition.js';

type Attributes = Readonly<Record<string, string>>;

const DOCTYPE = mark('the doctype of bookmarks', /<!doctype\s+netscape-bookmark-file-1/i);
const LINK = mark('links after `<dt>`', /<dt>\s*<a\s/i);
/**
 * Attributes that mark the folders that browsers create themselves. The names of these folders depend on the language,
 * but the attributes do not.
 */
const ROOT_MARKS = ['personal_toolbar_folder', 'unfiled_bookmarks_folder'];
/**
 * The id of the reading list in exports of Safari. The name of this folder depends on the language,
 * but the id does not.
 */
const READING_LIST = 'com.apple.readinglist';
/**
 * Tags that mark archived bookmarks in exports of linkding. There are two tags, because linkding 1.40 renamed the tag.
 */
const ARCHIVED_TAGS: ReadonlySet<string> = new Set([
  'linkding:archived',
  'linkding:bookmarks.archived',
]);
/** Matches the relative addresses that Shaarli exports for notes without a link. */
const RELATIVE_URL = /^(?:\?|\/(?!\/))/;
const WITHOUT_PAGE = 'The entry has no web address of its own: it is a note, not a page.';
/**
 * Elements whose text describes the bookmark file itself. The text may contain the name of the tool that wrote the
 * file.
 */
const ABOUT_TAGS = new Set(['title', 'h1']);
const MAX_ABOUT = 2_000;
/** The maximum depth of folders in a bookmark file. A file with deeper folders contains lists that are never closed. */
const MAX_FOLDERS = 50;
/**
 * The maximum length of a folder's name in characters. This length is greater than the maximum length of a tag. The
 * limit saves time, because the name is processed again for each link in the folder.
 */
const MAX_NAME = 200;

/** The format of bookmark files that browsers and most tools export. */
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

/** Keeps track of the folders around the current link, and recognises the tool that wrote the bookmark file. */
class Folders implements Surroundings {
  readonly #names: string[] = [];
  /** The text of the last heading. If a list follows the heading, this text is the name of a folder. */
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
      tags: tags.filter((tag) => !ARCHIVED_TAGS.has(tag)),
      folders: [this.#names.filter((name) => !ARCHIVED_TAGS.has(name))],
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

/**
 * Returns the status of a bookmark from its attribute `TOREAD`. The value "0" means that the user has finished reading
 * the page.
 */
function statusOf(toRead: string | undefined): 0 | 1 | undefined {
  const flag = flagOf(toRead);
  return flag === undefined ? undefined : flag === 1 ? 0 : 1;
}

/** Properties of a bookmark file that show which tool wrote it. */
interface BookmarkFile {
  /** The title, the main heading and the comments of the bookmark file, in lower case. */
  readonly about: string;
  readonly hasHeading: boolean;
  /** The names of the attributes that the first link of the file has, in file order. */
  readonly attributes: string;
}

/**
 * A tool whose exports contain descriptions that users wrote. In the exports of other tools, the descriptions are
 * copied from the pages.
 */
interface ToolWithNotes {
  readonly name: string;
  wrote(file: BookmarkFile): boolean;
}

const namedIn = (name: string, pattern: RegExp): ToolWithNotes => ({
  name,
  wrote: ({ about }) => pattern.test(about),
});

const TOOLS_WITH_NOTES: readonly ToolWithNotes[] = [
  namedIn('Satchel', /exported by satchel/),
  namedIn('Pinboard', /pinboard/),
  namedIn('Shaarli', /shaarli/),
  namedIn('Diigo', /diigo/),
  namedIn('Kippt', /kippt/),
  namedIn('Delicious', /delicious|del\.icio\.us/),
  // Recognises Delicious and Nextcloud Bookmarks by their attributes if the file does not contain
  // their names.
  {
    name: 'Delicious',
    wrote: ({ attributes }) => attributes === 'href add_date private tags',
  },
  {
    name: 'Nextcloud Bookmarks',
    wrote: ({ attributes, hasHeading }) => !hasHeading && attributes === 'href tags add_date',
  },
];

const hasNotes = (file: BookmarkFile): boolean => TOOLS_WITH_NOTES.some((tool) => tool.wrote(file));

const LINKDING_NOTES = /\[linkding-notes\](.*?)(?:\[\/linkding-notes\]|$)/s;

/**
 * Returns the note that the user wrote in the description of a link. The description may also
 * contain text that was copied from the page. In this case, the import report lists the description
 * as not imported.
 */
function noteOfLink(link: HtmlLink, isNote: boolean): string {
  const description = link.peekDescription();
  const [notes, note] = LINKDING_NOTES.exec(description) ?? [];
  if (notes === undefined || note === undefined) {
    return isNote ? link.description() : '';
  }
  if (description.trim() === notes.trim()) {
    link.description();
  }
  return note;
}
