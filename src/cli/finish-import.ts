import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

import type { INestApplicationContext } from '@nestjs/common';

import { ImportQueue } from '../transfer/import.queue.js';
import { ImportRunner } from '../transfer/import.runner.js';
import { ImportService } from '../transfer/import.service.js';
import type { ImportJob } from '../transfer/import-job.js';
import { ImportRemarks } from '../transfer/import-remarks.js';
import { type ProgressDisplay, progressDisplay } from './import-progress.js';
import { tell } from './terminal.js';

/** A service that runs may have taken the import first: then this one looks on. */
const LOOK_EVERY_MS = 1000;
const SHOWN_REMARKS = 20;

/** Runs an import here, or waits for the service that runs it, and shows how far it is. Gives it at its end. */
export async function finishImport(
  services: INestApplicationContext,
  userId: string,
  id: string,
): Promise<ImportJob> {
  const display = progressDisplay();
  const job = await followed(services, { userId, id, display }).finally(() => {
    display.end();
  });
  await tellRemarks(services.get(ImportRemarks), id);
  return job;
}

interface Followed {
  readonly userId: string;
  readonly id: string;
  readonly display: ProgressDisplay;
}

/** The import at its end, or when this command is told to stop. */
async function followed(
  services: INestApplicationContext,
  { userId, id, display }: Followed,
): Promise<ImportJob> {
  const [imports, queue] = [services.get(ImportService), services.get(ImportQueue)];
  const stopping = stopSignal();
  let job = await imports.find(userId, id);
  while (job.finishedAt === undefined && !stopping.aborted) {
    const claim = await queue.claim(id);
    await (claim === undefined
      ? pause(LOOK_EVERY_MS)
      : services.get(ImportRunner).run(claim, stopping, (progress) => {
          display.update(progress);
        }));
    job = await imports.find(userId, id);
    display.update({ ...job, rowCount: job.rowCount ?? 0 });
  }
  return job;
}

/** The import is kept: the service goes on with it, or the next call with --resume. */
function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  process.once('SIGINT', () => {
    tell('stopping; the service goes on with the import, or this command with --resume');
    stopping.abort();
  });
  return stopping.signal;
}

async function tellRemarks(remarks: ImportRemarks, id: string): Promise<void> {
  let told = 0;
  for await (const { path, line, reason, excerpt } of remarks.of(id)) {
    told += 1;
    if (told > SHOWN_REMARKS) {
      tell(`and more: GET /v3/import/${id}/remarks has all`);
      return;
    }
    tell(`${path === '' ? '' : `${path}, `}line ${line}: ${reason} ${excerpt}`);
  }
}
