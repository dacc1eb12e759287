import { Controller, Get, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Response } from 'express';

import {
  ResolutionAdministrationService,
  resolutionFigures,
} from '../../articles/resolver/resolution-administration.service.js';
import { RegistrationService } from '../../auth/registration.service.js';
import { Public } from '../../platform/http/public.js';
import type { ImportState } from '../../transfer/entities/import-job.entity.js';
import { ImportService } from '../../transfer/import/import.service.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { Pages, READER_POLICY } from '../pages.js';
import { VisitorGuard } from '../visitors.js';
import { IMPORT_STATES } from './admin-models.js';
import type { Figure } from './admin-views.js';
import { AdministratorGuard } from './administrator.guard.js';

/** The page with an overview of the service: registration, fetched pages and imports. */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(VisitorGuard, AdministratorGuard)
@Controller('admin')
export class AdminController {
  constructor(
    private readonly pages: Pages,
    private readonly registrations: RegistrationService,
    private readonly resolution: ResolutionAdministrationService,
    private readonly imports: ImportService,
  ) {}

  @Get()
  async show(@Res() response: Response): Promise<void> {
    const [isOpen, pages, imports] = await Promise.all([
      this.registrations.isOpen(),
      this.resolution.status(),
      this.imports.counts(),
    ]);
    const model = {
      registration: isOpen
        ? 'Registration is open: anyone who reaches this service can create an account.'
        : 'Registration is closed but for people with an invitation.',
      figures: [
        { heading: 'Pages', rows: resolutionFigures(pages) },
        { heading: 'Imports', rows: importFigures(imports) },
      ],
    };
    this.pages.show(response, 'admin/overview', model, { policy: READER_POLICY });
  }
}

const importFigures = (counts: ReadonlyMap<ImportState, number>): Figure[] =>
  Object.entries(IMPORT_STATES).map(([state, name]) => ({
    name,
    value: String(new Map<string, number>(counts).get(state) ?? 0),
  }));
