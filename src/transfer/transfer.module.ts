import { Module } from '@nestjs/common';

import { ArticlesModule } from '../articles/articles.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { provideRepository } from '../platform/database/custom-repository.js';
import { MailModule } from '../platform/mail/mail.module.js';
import { ReadingListModule } from '../reading-list/reading-list.module.js';
import { BackupFiles } from './backup/backup-files.js';
import { BackupMetrics } from './backup/backup-metrics.js';
import { BackupRunRepository } from './backup/backup-run.repository.js';
import { BackupAlerts, BackupSchedule, ScheduledBackups } from './backup/scheduled-backups.js';
import { ArchivedArticles } from './export/archive/archived-articles.js';
import { ArchivedNotes } from './export/archive/archived-notes.js';
import { ArchivedSnapshots } from './export/archive/archived-snapshots.js';
import { LibraryArchives } from './export/archive/library-archives.js';
import { ExportController } from './export/export.controller.js';
import { ExportService } from './export/export.service.js';
import { ImportController } from './import/import.controller.js';
import { ImportRepository } from './import/import.repository.js';
import { ImportRunner } from './import/import.runner.js';
import { ImportService } from './import/import.service.js';
import { ImportWorkers } from './import/import.workers.js';
import { ImportPreview } from './import/import-preview.js';
import { ImportChangesRepository } from './undo/import-changes.repository.js';
import { UndoRunner } from './undo/undo.runner.js';
import { UndoService } from './undo/undo.service.js';

const BACKUPS = [BackupAlerts, BackupFiles, BackupMetrics, BackupSchedule, ScheduledBackups];
const IMPORTS = [ImportPreview, ImportRunner, ImportService, UndoRunner, UndoService];
const SERVICES = [ExportService, ...IMPORTS];
const ARCHIVES = [ArchivedArticles, ArchivedNotes, ArchivedSnapshots, LibraryArchives];

/** Imports saved pages from files of other services, and exports a user's items as files. */
@Module({
  imports: [ArticlesModule, AuthModule, ReadingListModule],
  controllers: [ImportController, ExportController],
  providers: [
    provideRepository(ImportRepository),
    provideRepository(ImportChangesRepository),
    provideRepository(BackupRunRepository),
    ...ARCHIVES,
    ...SERVICES,
  ],
  exports: [ImportRepository, BackupRunRepository, ...SERVICES],
})
export class TransferModule {}

/** Runs the loops that process imports and write scheduled backups in the background. */
@Module({
  imports: [TransferModule, AuthModule, MailModule],
  providers: [ImportWorkers, ...BACKUPS],
})
export class TransferWorkersModule {}
