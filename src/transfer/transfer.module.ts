import { Module } from '@nestjs/common';

import { ReadingListModule } from '../reading-list/reading-list.module.js';
import { ExportModule } from './export/export.module.js';
import { ExportController } from './http/export.controller.js';
import { ImportController } from './http/import.controller.js';
import { ImportQueue } from './import.queue.js';
import { ImportRunner } from './import.runner.js';
import { ImportService } from './import.service.js';
import { ImportWorkers } from './import.workers.js';
import { ImportRemarks } from './import-remarks.js';

/** A library moves in from files of other services, and out again. */
@Module({
  imports: [ReadingListModule, ExportModule],
  controllers: [ImportController, ExportController],
  providers: [ImportQueue, ImportRemarks, ImportRunner, ImportService, ImportWorkers],
  exports: [ExportModule, ImportRemarks, ImportService],
})
export class TransferModule {}
