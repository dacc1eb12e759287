import { clean, cut } from '../util/clean-text.js';

/**
 * Fields that a format ignores on purpose, by reason. They are not reported as unread. `docs/use/import-formats.md`
 * explains each reason. A JSON path covers everything below it.
 */
export type LeftOut = Partial<Record<LeftOutReason, readonly string[]>>;

/**
 * `page`: text, pictures and facts of the page, which Satchel fetches itself. `id`: ids and addresses in the other
 * service. `setting`: settings and states of the other service. `repeated`: repeats another field of the row.
 */
type LeftOutReason = 'page' | 'id' | 'setting' | 'repeated';

/** The name for a field in a file of this syntax. `file`: files of an archive that are not read. */
export type FieldKind = 'column' | 'key' | 'attribute' | 'element' | 'text' | 'file';

/** A field that has values and is not imported. */
export interface UnreadField {
  /** The path within an archive. Empty for a file outside an archive. */
  readonly path: string;
  readonly kind: FieldKind;
  readonly name: string;
  /** Number of rows with a value in this field. For `file`, the number of files. */
  readonly rows: number;
}

/** The fields of a file that have values and are not imported. */
export interface UnreadReport {
  readonly fields: readonly UnreadField[];
  /** Number of further fields, which are not listed. At most `MOST_COUNTED`. */
  readonly more: number;
}

const MOST_LISTED = 200;
/** Bounds the memory for a file with a different key in each row. */
export const MOST_COUNTED = 10_000;
const MAX_NAME = 100;

/** Counts the fields of a file that have values and are not imported, in bounded memory. */
export class UnreadFields {
  readonly #listed = new Map<string, UnreadField>();
  readonly #more = new Set<string>();

  /** Counts one row with a value in this field, for the file at this path. */
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

/** Returns the names of all fields that a format leaves out. */
export const namesLeftOut = (leftOut: LeftOut = {}): ReadonlySet<string> =>
  new Set(Object.values(leftOut).flat());

/** Returns sentences for the user, such as "Not imported: column `Summary` (12 rows)". Empty without a report. */
export function unreadSentences(report: UnreadReport | null): readonly string[] {
  const { fields, more } = report ?? { fields: [], more: 0 };
  const sentences = fields.map(
    ({ path, kind, name, rows }) =>
      `Not imported: ${path === '' ? '' : `${path}, `}${kind} \`${name}\` (${rows} ${kind === 'file' ? 'file' : 'row'}${rows === 1 ? '' : 's'})`,
  );
  const count = more === MOST_COUNTED ? `at least ${more}` : String(more);
  return more === 0 ? sentences : [...sentences, `Not imported: ${count} more fields`];
}
