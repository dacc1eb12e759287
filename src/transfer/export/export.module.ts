import { Module } from '@nestjs/common';

import { ExportService } from './export.service.js';

/** A library moves out; nothing of it runs by itself. */
@Module({ providers: [ExportService], exports: [ExportService] })
export class ExportModule {}
