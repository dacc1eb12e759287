import type { HtmlLink } from '../../reading/html-link.js';

/** Facts about a bookmark file that identify the tool that wrote it. */
interface BookmarkFile {
  /** The title, the main heading and the comments of the file, in lower case. */
  readonly about: string;
  readonly hasHeading: boolean;
  /** The names of the attributes of the first link, in file order. */
  readonly attributes: string;
}

/** A tool that exports descriptions that users wrote. Other tools export descriptions that they copied from pages. */
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
  // Delicious and Nextcloud Bookmarks do not always write their names into the file.
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
 * Returns the note of a link. Reads a description only if a person wrote all of it. Other descriptions count as ignored
 * fields in the import report.
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
