import { Module } from '@nestjs/common';

import { provideRepository } from '../platform/database/custom-repository.js';
import { ReadingListModule } from '../reading-list/reading-list.module.js';
import { ExportController } from './export/export.controller.js';
import { ExportService } from './export/export.service.js';
import { ImportController } from './import/import.controller.js';
import { ImportRepository } from './import/import.repository.js';
import { ImportRunner } from './import/import.runner.js';
import { ImportService } from './import/import.service.js';
import { ImportWorkers } from './import/import.workers.js';
import { ImportPreview } from './import/import-preview.js';

const SERVICES = [ExportService, ImportPreview, ImportRunner, ImportService];

/** Imports saved pages from files of other services, and exports a user's items as files. */
@Module({
  imports: [ReadingListModule],
  controllers: [ImportController, ExportController],
  providers: [provideRepository(ImportRepository), ...SERVICES],
  exports: [ImportRepository, ...SERVICES],
})
export class TransferModule {}

/** Runs the loops that process imports in the background. */
@Module({ imports: [TransferModule], providers: [ImportWorkers] })
export class TransferWorkersModule {}
