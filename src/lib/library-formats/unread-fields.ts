import { clean, cut } from '../util/clean-text.js';

/**
 * Fields that a format ignores on purpose, grouped by reason. The import report does not list them.
 * `docs/use/import-formats.md` explains each reason. A JSON path includes everything below it.
 */
export type LeftOut = Partial<Record<LeftOutReason, readonly string[]>>;

/**
 * The reason to ignore a field. `page`: text, pictures and facts of the page, which Satchel fetches itself. `id`: ids
 * and addresses in the other service. `setting`: settings and states of the other service. `repeated`: the same data as
 * another field of the row.
 */
type LeftOutReason = 'page' | 'id' | 'setting' | 'repeated';

/**
 * The kind of a field, which depends on the syntax of the file. `file` means a file of an archive that is not imported.
 */
export type FieldKind = 'column' | 'key' | 'attribute' | 'element' | 'text' | 'file';

/** A field that has values and is not imported. */
export interface UnreadField {
  /** The path of the field's file within an archive. Empty for a file outside an archive. */
  readonly path: string;
  readonly kind: FieldKind;
  readonly name: string;
  /** The number of rows with a value in this field. For the kind `file`, the number of files. */
  readonly rows: number;
}

/** The fields of a file that have values and are not imported. */
export interface UnreadReport {
  readonly fields: readonly UnreadField[];
  /** The number of further fields that are not listed, at most `MOST_COUNTED`. */
  readonly more: number;
}

const MOST_LISTED = 200;
/**
 * The maximum number of further fields that are counted. The maximum limits the memory for a file with a different key
 * in each row.
 */
export const MOST_COUNTED = 10_000;
const MAX_NAME = 100;

/** Counts the fields of a file that have values and are not imported. Needs only a limited amount of memory. */
export class UnreadFields {
  readonly #listed = new Map<string, UnreadField>();
  readonly #more = new Set<string>();

  /** Counts one row with a value in a field. `path` is the path of the row's file in an archive. */
  count(path: string, kind: FieldKind, name: string): void {
    const field = {
      path: cut(clean(path), MAX_NAME),
      kind,
      name: cut(clean(name), MAX_NAME),
      rows: 1,
    };
    const id = JSON.stringify([field.path, kind, field.name]);
    const listed = this.#listed.get(id);
    if (listed !== undefined || this.#listed.size < MOST_LISTED) {
      this.#listed.set(id, { ...field, rows: (listed?.rows ?? 0) + 1 });
    } else if (this.#more.size < MOST_COUNTED) {
      this.#more.add(id);
    }
  }

  report(): UnreadReport {
    return { fields: [...this.#listed.values()], more: this.#more.size };
  }
}

/** Returns the names of all fields that a format ignores on purpose. */
export const namesLeftOut = (leftOut: LeftOut = {}): ReadonlySet<string> =>
  new Set(Object.values(leftOut).flat());

/**
 * Returns sentences for the user, such as "Not imported: column `Summary` (12 rows)". Returns no sentences if the
 * report is null.
 */
export function unreadSentences(report: UnreadReport | null): readonly string[] {
  const { fields, more } = report ?? { fields: [], more: 0 };
  const sentences = fields.map(
    ({ path, kind, name, rows }) =>
      `Not imported: ${path === '' ? '' : `${path}, `}${kind} \`${name}\` (${rows} ${kind === 'file' ? 'file' : 'row'}${rows === 1 ? '' : 's'})`,
  );
  const count = more === MOST_COUNTED ? `at least ${more}` : String(more);
  return more === 0 ? sentences : [...sentences, `Not imported: ${count} more fields`];
}
