import { type Message, message, plainText } from '../../../platform/i18n/message.js';
import type { ImportJob } from '../../../transfer/entities/import-job.entity.js';
import { notImportedMessages } from '../../../transfer/import/not-imported-messages.js';
import type { UndoCounts } from '../../../transfer/undo/import-changes.repository.js';
import { type ShownPage, Template } from '../../template.js';

export interface ImportCard {
  readonly href: string;
  readonly fileName: Message;
  readonly begun: Date;
  /** The progress or the result of the import, as a part of a sentence. */
  readonly summary: Message;
}

interface Count {
  readonly name: Message;
  readonly rows: number;
}

interface ImportModel {
  readonly fileName: Message;
  readonly summary: Message;
  readonly isUnfinished: boolean;
  readonly isUndoing: boolean;
  /** The number of rows in the file. Undefined until the rows are counted. */
  readonly rows: number | undefined;
  readonly rowsDone: number;
  /** The number of added rows, and the other results that some rows had. */
  readonly counts: readonly Count[];
  /** The results of the undo. Empty if the import was not undone. */
  readonly undoCounts: readonly Count[];
  /** The address of the whole list, with the archive. Undefined until the import has ended. */
  readonly listHref: string | undefined;
  /** The format of the file, and the reason why this format was recognized. Undefined until the format is known. */
  readonly format: Message | undefined;
  /** Sentences about fields of the file that are not imported. */
  readonly notImported: readonly Message[];
  readonly rowErrorsHref: string | undefined;
  readonly cancelAction: string;
  /** The page that asks whether to undo the import, and the time until which this is possible. */
  readonly undo: { readonly href: string; readonly until: Date } | undefined;
}

interface UndoModel {
  readonly fileName: Message;
  readonly counts: readonly Count[];
  readonly action: string;
  readonly back: string;
}

const importPage = new Template<ImportModel>('account/imports/import', { kind: 'reader' });
const undoPage = new Template<UndoModel>('account/imports/undo', { kind: 'reader' });

const pathOf = ({ id }: ImportJob): string => `/account/imports/${id}`;

const nameOf = ({ fileName }: ImportJob): Message =>
  fileName === '' ? message('imports.unnamed') : plainText(fileName);

const summaryOf = ({ state, failure }: ImportJob): Message => {
  const text = message(`imports.states.${state}`);
  return failure === null ? text : message('imports.stateAndReason', { state: text, failure });
};

export const importCardOf = (job: ImportJob): ImportCard => ({
  href: pathOf(job),
  fileName: nameOf(job),
  begun: job.createdAt,
  summary: summaryOf(job),
});

const formatOf = ({ format, formatReason }: ImportJob): Message | undefined => {
  if (format === null) {
    return undefined;
  }
  return formatReason === null
    ? message('imports.format', { format })
    : message('imports.formatAndReason', { format, reason: formatReason });
};

const hasDownload = ({ refused, incomplete, merged, notImported }: ImportJob): boolean =>
  refused + incomplete + merged + (notImported?.fields.length ?? 0) > 0;

const undoCountsOf = ({ removed, restored, kept, lists }: UndoCounts): Count[] =>
  [
    { name: message('imports.undo.removed'), rows: removed },
    { name: message('imports.undo.restored'), rows: restored },
    { name: message('imports.undo.kept'), rows: kept },
    { name: message('imports.undo.lists'), rows: lists },
  ].filter(({ rows }, at) => at === 0 || rows > 0);

const undoOf = ({ undoRemoved, undoRestored, undoKept, undoLists }: ImportJob): Count[] =>
  undoCountsOf({
    removed: undoRemoved,
    restored: undoRestored,
    kept: undoKept,
    lists: undoLists,
  });

const isUndo = ({ state }: ImportJob): boolean => state === 'undoing' || state === 'undone';

/** Returns the page that asks whether to undo an import. `counts` is the result that the undo would have. */
export const undoPageOf = (job: ImportJob, counts: UndoCounts): ShownPage =>
  undoPage.page({
    fileName: nameOf(job),
    counts: undoCountsOf(counts),
    action: `${pathOf(job)}/undo`,
    back: pathOf(job),
  });

export const importPageOf = (job: ImportJob, canUndo: boolean): ShownPage =>
  importPage.page({
    fileName: nameOf(job),
    summary: summaryOf(job),
    isUnfinished: job.finishedAt === null,
    isUndoing: job.state === 'undoing',
    undoCounts: isUndo(job) ? undoOf(job) : [],
    rows: job.rowCount ?? undefined,
    rowsDone: job.rowsDone,
    counts: [
      { name: message('imports.counts.added'), rows: job.added },
      { name: message('imports.counts.changed'), rows: job.changed },
      { name: message('imports.counts.unchanged'), rows: job.unchanged },
      { name: message('imports.counts.deleted'), rows: job.deleted },
      { name: message('imports.counts.refused'), rows: job.refused },
      { name: message('imports.counts.incomplete'), rows: job.incomplete },
      { name: message('imports.counts.merged'), rows: job.merged },
    ].filter(({ rows }, at) => at === 0 || rows > 0),
    listHref: job.finishedAt === null ? undefined : '/list?state=all',
    format: formatOf(job),
    notImported: notImportedMessages(job.notImported),
    rowErrorsHref: hasDownload(job) ? `${pathOf(job)}/remarks` : undefined,
    cancelAction: `${pathOf(job)}/cancel`,
    undo:
      canUndo && job.undoUntil !== null
        ? { href: `${pathOf(job)}/undo`, until: job.undoUntil }
        : undefined,
  });
