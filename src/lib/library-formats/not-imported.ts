import { clean, cut } from '../util/clean-text.js';

/**
 * The fields that a format ignores on purpose, grouped by the reason. The import report does not list these fields. For
 * a JSON path, all fields below the path are ignored too. `docs/use/import-formats.md` explains the reasons.
 */
export type LeftOut = Partial<Record<LeftOutReason, readonly string[]>>;

/**
 * The reason to ignore a field on purpose. `page`: data of the page, which Satchel extracts itself. `id`: an id or
 * address in the other service. `setting`: a setting or state of the other service. `repeated`: another field of the
 * row has the same data.
 */
type LeftOutReason = 'page' | 'id' | 'setting' | 'repeated';

/**
 * The kind of a field that was not imported. The kind depends on the syntax of the imported file. The kind `file` means
 * that a whole file of an archive was not imported.
 */
export type FieldKind = 'column' | 'key' | 'attribute' | 'element' | 'text' | 'file';

/** A field that has values in an imported file, but was not imported. */
export interface NotImportedField {
  /**
   * The path of the file that contains the field, inside the imported archive. Empty if the imported file is not an
   * archive.
   */
  readonly path: string;
  readonly kind: FieldKind;
  readonly name: string;
  /** The number of rows that have a value in this field. For the kind `file`, the number of files with this name. */
  readonly rows: number;
}

/** The fields that have values in an imported file, but were not imported. */
export interface NotImportedReport {
  readonly fields: readonly NotImportedField[];
  /**
   * The number of further fields that exceed the maximum length of `fields`. At most
   * `MOST_COUNTED`.
   */
  readonly more: number;
}

const MOST_LISTED = 200;
/**
 * The maximum number of fields that are counted without being listed. The limit saves memory if each row of a file has
 * different keys.
 */
export const MOST_COUNTED = 10_000;
const MAX_NAME = 100;

/**
 * Counts the fields that have values in a file, but are not imported. The number of counted fields is limited, to save
 * memory.
 */
export class NotImportedFields {
  readonly #listed = new Map<string, NotImportedField>();
  readonly #more = new Set<string>();

  /**
   * Counts a row with a value in the field `name`. `path` is the path of the row's file inside the
   * imported archive.
   */
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

  report(): NotImportedReport {
    return { fields: [...this.#listed.values()], more: this.#more.size };
  }
}

/** Returns the names of all fields that a format ignores on purpose, whatever the reason is. */
export const namesLeftOut = (leftOut: LeftOut = {}): ReadonlySet<string> =>
  new Set(Object.values(leftOut).flat());
