import { setTimeout as pause } from 'node:timers/promises';

import type { INestApplicationContext } from '@nestjs/common';

import { UserAdministrationService } from '../auth/user-administration.service.js';
import type { ImportJob } from '../transfer/entities/import-job.entity.js';
import { ImportRepository } from '../transfer/import/import.repository.js';
import { importId } from '../transfer/import/import.request.js';
import { ImportService } from '../transfer/import/import.service.js';
import { UndoRunner } from '../transfer/undo/undo.runner.js';
import { UndoService } from '../transfer/undo/undo.service.js';
import { printEither, table } from './terminal.js';

/** The interval at which the command polls an undo that a running service has started. */
const LOOK_EVERY_MS = 500;

interface UndoWanted {
  /** The email address of the user. */
  readonly user: string;
  readonly id: string;
  readonly json: true | undefined;
}

/**
 * Undoes an import, and prints the counts. If a running service undoes the import, only waits.
 *
 * @throws an error if the undo fails
 */
export async function undoImport(
  services: INestApplicationContext,
  { user, id: text, json }: UndoWanted,
): Promise<void> {
  const { id: userId } = await services.get(UserAdministrationService).find(user);
  const id = importId(text);
  let job = await services.get(UndoService).begin({ userId, id });
  while (job.state === 'undoing') {
    await goOn(services, id);
    job = await services.get(ImportService).find(userId, id);
  }
  if (job.state !== 'undone') {
    throw new Error(job.failure ?? `the import is ${job.state}`);
  }
  show(job, json);
}

async function goOn(services: INestApplicationContext, id: string): Promise<void> {
  const claim = await services.get(ImportRepository).claim(id);
  await (claim === undefined
    ? pause(LOOK_EVERY_MS)
    : services.get(UndoRunner).run(claim, new AbortController().signal));
}

function show({ undoRemoved, undoRestored, undoKept, undoLists }: ImportJob, json?: true): void {
  const counts = {
    removed: undoRemoved,
    restored: undoRestored,
    kept: undoKept,
    lists: undoLists,
  };
  printEither(json, counts, () =>
    table(
      ['undone', 'count'],
      Object.entries(counts).map(([name, count]) => [name, String(count)]),
    ),
  );
}
