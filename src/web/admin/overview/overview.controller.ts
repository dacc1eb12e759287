import { Get, UseGuards } from '@nestjs/common';

import type { PageCounts } from '../../../articles/resolver/page.repository.js';
import {
  ResolutionAdministrationService,
  type ResolutionStatus,
} from '../../../articles/resolver/resolution-administration.service.js';
import { RegistrationService } from '../../../auth/registration.service.js';
import { SecondFactorRequirement } from '../../../auth/second-factor/second-factor-requirement.js';
import { type Message, message, plainText } from '../../../platform/i18n/message.js';
import {
  BackupRunRepository,
  type BackupState,
  reasonOfRun,
} from '../../../transfer/backup/backup-run.repository.js';
import type { ImportState } from '../../../transfer/entities/import-job.entity.js';
import { ImportService } from '../../../transfer/import/import.service.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';
import type { Figure } from '../admin-pages.js';
import { AdministratorGuard } from '../administrator.guard.js';

const MEGABYTE = 1_000_000;

interface OverviewModel {
  readonly registration: Message;
  readonly figures: readonly { readonly heading: Message; readonly rows: readonly Figure[] }[];
}

const overviewPage = new Template<OverviewModel>('admin/overview/overview', { kind: 'reader' });

/** The page with an overview of the service: registration, fetched pages and imports. */
@UseGuards(AdministratorGuard)
@Page('admin')
export class AdminController {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly registrations: RegistrationService,
    private readonly resolution: ResolutionAdministrationService,
    private readonly imports: ImportService,
    private readonly backups: BackupRunRepository,
    private readonly requirement: SecondFactorRequirement,
  ) {}

  @Get()
  async show(): Promise<ShownPage> {
    const [isOpen, pages, imports, backups, withoutFactor] = await Promise.all([
      this.registrations.isOpen(),
      this.resolution.status(),
      this.imports.counts(),
      this.backups.state(),
      this.requirement.countMissing(),
    ]);
    return overviewPage.page({
      registration: message(isOpen ? 'admin.overview.open' : 'admin.overview.closed'),
      figures: [
        { heading: message('admin.overview.pages.title'), rows: pageFigures(pages) },
        { heading: message('admin.overview.imports.title'), rows: importFigures(imports) },
        { heading: message('admin.overview.backups.title'), rows: backupFigures(backups) },
        ...factorFigures(withoutFactor),
      ],
    });
  }
}

/** The states of pages and of imports, in the order in which the overview shows these states. */
const PAGE_STATES: readonly (keyof PageCounts)[] = [
  'read',
  'waiting',
  'reading',
  'postponed',
  'givenUp',
];
const IMPORT_STATES: readonly ImportState[] = [
  'uploading',
  'waiting',
  'running',
  'done',
  'failed',
  'cancelled',
  'undoing',
  'undone',
];

const pageFigures = ({ failures, ...counts }: ResolutionStatus): Figure[] => [
  ...PAGE_STATES.map((state) => figure(message(`admin.overview.pages.${state}`), counts[state])),
  ...failures.map(({ reason, pages }) =>
    figure(message('admin.overview.pages.failed', { reason }), pages),
  ),
];

const importFigures = (counts: ReadonlyMap<ImportState, number>): Figure[] =>
  IMPORT_STATES.map((state) =>
    figure(message(`admin.overview.imports.${state}`), counts.get(state) ?? 0),
  );

function backupFigures({ success, failure }: BackupState): Figure[] {
  const latest: Figure = {
    name: message('admin.overview.backups.last'),
    value: success
      ? message('admin.overview.backups.lastValue', {
          at: success.startedAt,
          megabytes: Math.ceil(Number(success.bytes) / MEGABYTE),
        })
      : message('admin.overview.backups.none'),
  };
  return failure === undefined
    ? [latest]
    : [
        latest,
        {
          name: message('admin.overview.backups.failed'),
          value: message('admin.overview.backups.failedValue', {
            at: failure.startedAt,
            reason: reasonOfRun(failure),
          }),
        },
      ];
}

/** Returns the number of users without a required second factor. Returns nothing if no user needs one. */
const factorFigures = (count: number | undefined) =>
  count === undefined
    ? []
    : [
        {
          heading: message('secondFactor.title'),
          rows: [figure(message('admin.overview.withoutFactor'), count)],
        },
      ];

const figure = (name: Message, count: number): Figure => ({
  name,
  value: plainText(String(count)),
});
