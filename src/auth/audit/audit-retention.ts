import { Injectable } from '@nestjs/common';

import { Every } from '../../platform/jobs/every.js';
import { AuditRepository } from './audit.repository.js';

/** The number of days after which an entry is deleted. */
const KEPT_DAYS = 180;
const SWEEP_EVERY_MS = 60 * 60 * 1000;

/** Deletes old audit entries in small batches. Several instances can run at the same time. */
@Injectable()
export class AuditRetention {
  constructor(private readonly audit: AuditRepository) {}

  @Every(SWEEP_EVERY_MS)
  async sweep(): Promise<void> {
    await this.audit.deleteOld(KEPT_DAYS);
  }
}
