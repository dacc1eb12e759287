import type { Format } from './format.js';
import { urlList } from './formats/bookmarks/url-list.js';
import { genericCsv } from './formats/generic-csv.js';
import { isTableWithoutNames } from './nameless-table.js';
import { hasPasswordKey } from './password-keys.js';
import type { Head } from './recognition.js';
import { announcedByHeaders, hasPasswordLabel } from './text-headers.js';

const PASSWORDS =
  'The file contains passwords. Satchel does not import it and stores nothing of it. Delete the file, and import your bookmarks without passwords.';

const USER_NAMES =
  'The file has a column of user names beside web addresses, so it may contain passwords. Satchel stores nothing of it. Remove the columns with user names and passwords, and import the file again.';

const NAMELESS =
  'The file is a table whose first row does not name its columns. They may contain passwords, so Satchel stores nothing of it. Add a first row with the names of the columns, such as "url,title,tags".';

/**
 * Returns the reason why a file is refused: it contains passwords, or may contain passwords. Returns undefined if the
 * file can be imported.
 * @param readings - the beginning of the file in each encoding that it may have.
 * @param format - undefined if no format matches.
 */
export function passwordRefusal(
  head: Head,
  readings: readonly string[],
  format: Format | undefined,
): string | undefined {
  if (head.isJson) {
    return hasPasswordKey(head.text) ? PASSWORDS : undefined;
  }
  return head.isTable ? refusalOfText(head.text, readings, format) : undefined;
}

function refusalOfText(
  text: string,
  readings: readonly string[],
  format: Format | undefined,
): string | undefined {
  const isList = format === undefined || format === urlList;
  const announced = readings.map((reading) => announcedByHeaders(reading, !isList));
  // Looks for labels such as `Password:` only in lists, because texts in the cells of a table may contain such words.
  if (announced.includes('passwords') || (isList && readings.some(hasPasswordLabel))) {
    return PASSWORDS;
  }
  // Exports of known services may have a column of users, so user names are only refused in other files.
  if (announced.includes('user names') && (isList || format === genericCsv)) {
    return USER_NAMES;
  }
  return refusalOfList(text, format);
}

const refusalOfList = (text: string, format: Format | undefined): string | undefined =>
  format === urlList && isTableWithoutNames(text) ? NAMELESS : undefined;
