import type { ImportJob, ImportState } from '../transfer/import-job.js';
import { momentOf } from './account-view.js';
import type { ImportCard, Views } from './views.js';

const STANDS: Readonly<Record<ImportState, string>> = {
  uploading: 'being uploaded',
  waiting: 'waiting for its turn',
  running: 'being imported',
  done: 'done',
  failed: 'failed',
  cancelled: 'stopped',
};

const pathOf = ({ id }: ImportJob): string => `/account/imports/${id}`;

const nameOf = ({ fileName }: ImportJob): string => fileName || 'a file without a name';

const summaryOf = ({ state, failure }: ImportJob): string =>
  failure === undefined ? STANDS[state] : `${STANDS[state]}. ${failure}`;

export const importCardOf = (job: ImportJob): ImportCard => ({
  href: pathOf(job),
  fileName: nameOf(job),
  begun: momentOf(job.createdAt),
  summary: summaryOf(job),
});

/** What the page of an import shows of it. */
export const importViewOf = (job: ImportJob): Omit<Views['import'], 'csrfToken'> => ({
  fileName: nameOf(job),
  summary: summaryOf(job),
  isUnfinished: job.finishedAt === undefined,
  rows: job.rowCount,
  rowsDone: job.rowsDone,
  counts: [
    { name: 'Added', rows: job.added },
    { name: 'Completed from the file', rows: job.changed },
    { name: 'Already here', rows: job.unchanged },
    { name: 'Deleted by you, and left so', rows: job.deleted },
    { name: 'Refused', rows: job.refused },
    { name: 'Taken in part', rows: job.incomplete },
  ],
  remarksHref: job.refused + job.incomplete > 0 ? `${pathOf(job)}/remarks` : undefined,
  cancelAction: `${pathOf(job)}/cancel`,
});
