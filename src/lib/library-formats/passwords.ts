import type { Format } from './format.js';
import { urlList } from './formats/bookmarks/url-list.js';
import { genericCsv } from './formats/generic-csv.js';
import { isTableWithoutNames } from './nameless-table.js';
import { isPasswordName } from './password-names.js';
import { type JsonCollector, JsonReader } from './reading/json-reader.js';
import { isBlank } from './reading/members.js';
import type { Head } from './recognition.js';
import { announcedByHeaders, hasPasswordLabel } from './text-headers.js';

const PASSWORDS =
  'The file contains passwords. Satchel does not import it and stores nothing of it. Delete the file, and import your bookmarks without passwords.';

const USER_NAMES =
  'The file has a column of user names beside web addresses, so it may contain passwords. Satchel stores nothing of it. Remove the columns with user names and passwords, and import the file again.';

const NAMELESS =
  'The file is a table whose first row does not name its columns. They may contain passwords, so Satchel stores nothing of it. Add a first row with the names of the columns, such as "url,title,tags".';

/**
 * Returns the reason why a file is refused: the file contains passwords, or may contain passwords. Returns undefined if
 * the file can be imported.
 * @param readings - the beginning of the file in each encoding that the file may have.
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
  // Ignores labels such as `Password:` in a table of a known format, because texts in the cells may
  // contain such words.
  if (announced.includes('passwords') || (isList && readings.some(hasPasswordLabel))) {
    return PASSWORDS;
  }
  // Refuses user names only in files of unknown services, because exports of known services may contain user names.
  if (announced.includes('user names') && (isList || format === genericCsv)) {
    return USER_NAMES;
  }
  return refusalOfList(text, format);
}

const refusalOfList = (text: string, format: Format | undefined): string | undefined =>
  format === urlList && isTableWithoutNames(text) ? NAMELESS : undefined;

/**
 * Keys whose values are objects with arbitrary keys: users choose the keys in Pocket's `tags`, and
 * web servers those in wallabag's `headers`. The keys in these objects are not checked for
 * passwords.
 */
const FREE_KEYS: ReadonlySet<string> = new Set(['tags', 'headers']);
const MAX_DEPTH = 64;

/**
 * Returns true if the beginning of a JSON document contains a key that means "password", and the value of the key is a
 * text or a number.
 */
function hasPasswordKey(text: string): boolean {
  const keys = new KeysWithValues();
  new JsonReader(keys).write(text);
  return [...keys.names].some(isPasswordName);
}

/**
 * Collects those keys of a JSON document that have a number or a non-blank text as value. Other
 * values are not passwords, such as the flag `true` or the blank passwords that Readeck exports.
 */
class KeysWithValues implements JsonCollector<never> {
  readonly maxDepth = MAX_DEPTH;
  readonly names = new Set<string>();
  readonly #keys: string[] = [];
  #key = '';

  onKey(name: string): void {
    this.#key = name;
  }

  onOpen(isArray: boolean): void {
    this.#keys.push(this.#key);
    // Forgets the key at the beginning of a list, because the values in a list have no keys.
    this.#key = isArray ? '' : this.#key;
  }

  onClose(): void {
    this.#keys.pop();
    this.#key = '';
  }

  onValue(value: string | number | boolean | null): void {
    const isSecret = (typeof value === 'string' && !isBlank(value)) || typeof value === 'number';
    if (isSecret && !this.#keys.some((key) => FREE_KEYS.has(key))) {
      this.names.add(this.#key);
    }
  }

  takeParts(): readonly never[] {
    return [];
  }
}
