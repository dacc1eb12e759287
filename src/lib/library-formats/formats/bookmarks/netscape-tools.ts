import type { HtmlLink } from '../../reading/html-link.js';

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
  // Recognises Delicious and Nextcloud Bookmarks by other properties if their names are missing from the file.
  {
    name: 'Delicious',
    wrote: ({ attributes }) => attributes === 'href add_date private tags',
  },
  {
    name: 'Nextcloud Bookmarks',
    wrote: ({ attributes, hasHeading }) => !hasHeading && attributes === 'href tags add_date',
  },
];

export const hasNotes = (file: BookmarkFile): boolean =>
  TOOLS_WITH_NOTES.some((tool) => tool.wrote(file));

const LINKDING_NOTES = /\[linkding-notes\](.*?)(?:\[\/linkding-notes\]|$)/s;

/**
 * Returns the note that the user wrote in the description of a link. A description that also contains text of the page
 * is listed in the import report.
 */
export function noteOfLink(link: HtmlLink, isNote: boolean): string {
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
