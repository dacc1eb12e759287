import { Injectable } from '@nestjs/common';

import { AuditRepository } from '../../auth/audit/audit.repository.js';
import { AuditKind } from '../../auth/entities/audit-kinds.js';
import type { Origin } from '../../auth/entities/origin.js';
import { defined } from '../../lib/util/defined.js';
import { Clock } from '../../platform/common/clock.js';
import { Database } from '../../platform/database/database.js';
import type { ImportJob } from '../entities/import-job.entity.js';
import { ImportService } from '../import/import.service.js';
import { ImportNotUndoableError } from '../transfer.errors.js';
import { ImportChangesRepository, type UndoCounts } from './import-changes.repository.js';

/** The import to undo. */
interface UndoWanted {
  readonly userId: string;
  readonly id: string;
  /** The origin of the request. Undefined for an undo on the command line. */
  readonly origin?: Origin;
}

/** Starts the undo of imports, and predicts its result. */
@Injectable()
export class UndoService {
  constructor(
    private readonly database: Database,
    private readonly imports: ImportService,
    private readonly changes: ImportChangesRepository,
    private readonly clock: Clock,
  ) {}

  /** Returns true if an import has ended, and can be undone. */
  canUndo({ finishedAt, undoUntil }: ImportJob): boolean {
    return finishedAt !== null && undoUntil !== null && undoUntil > this.clock.now();
  }

  /**
   * Begins to undo an import. The undo runs in the background. Has no effect if the import is already undone.
   * @throws ImportNotFoundError if the user has no import with this id
   * @throws ImportNotUndoableError if the import has not ended, has changed nothing, or ended too long ago
   * @throws ImportUnfinishedError if another import of the user is unfinished
   */
  async begin({ userId, id, origin }: UndoWanted): Promise<ImportJob> {
    const begun = await this.database.transaction(async (manager) => {
      const job = await ImportChangesRepository.in(manager).beginUndo({ userId, id });
      if (job !== undefined) {
        const user = { id: userId, ...defined({ origin }) };
        const details = { name: job.fileName };
        await AuditRepository.in(manager).act(user, AuditKind.ImportUndone, details);
      }
      return job;
    });
    const job = begun ?? (await this.imports.find(userId, id));
    if (job.state !== 'undoing' && job.state !== 'undone') {
      throw new ImportNotUndoableError();
    }
    return job;
  }

  /**
   * Returns the counts that an undo of the import would have now.
   * @throws ImportNotUndoableError if the import cannot be undone
   */
  async preview(job: ImportJob): Promise<UndoCounts> {
    if (!this.canUndo(job)) {
      throw new ImportNotUndoableError();
    }
    return this.changes.preview(job);
  }
}
