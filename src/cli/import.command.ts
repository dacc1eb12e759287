import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

import type { INestApplicationContext } from '@nestjs/common';
import { SingleBar } from 'cli-progress';
import { Command, Option } from 'commander';

import { UserAdministrationService } from '../auth/user-administration.service.js';
import type { NotImportedReport } from '../lib/library-formats/not-imported.js';
import { english } from '../platform/i18n/translator.js';
import type { ImportJob } from '../transfer/entities/import-job.entity.js';
import { type ImportCounts, ImportRepository } from '../transfer/import/import.repository.js';
import { type ImportProgress, ImportRunner } from '../transfer/import/import.runner.js';
import { ImportService } from '../transfer/import/import.service.js';
import { countsOf } from '../transfer/import/import-batch.js';
import { ImportPreview, type PreviewRules } from '../transfer/import/import-preview.js';
import { notImportedMessages } from '../transfer/import/not-imported-messages.js';
import { undoImport } from './import-undo.js';
import { withServices } from './services.js';
import { printEither, table, tell, UsageError } from './terminal.js';

/** The interval at which the command polls an import that a running service has started. */
const LOOK_EVERY_MS = 1000;
const SHOWN_ROW_ERRORS = 20;
const LINE_EVERY_MS = 5000;

interface Options {
  readonly user: string;
  readonly dryRun?: true;
  readonly resume?: true;
  readonly undo?: string;
  readonly restoreDeleted?: true;
  readonly folders?: 'tags' | 'lists';
  readonly json?: true;
}

export function importCommand(): Command {
  return new Command('import')
    .argument('[file]')
    .description('bring an export of another service into the list of a person')
    .requiredOption('--user <email>', 'whose list')
    .option('--dry-run', 'tell what would become of the rows, and change nothing')
    .option('--restore-deleted', 'bring back items that the person has deleted here')
    .addOption(
      new Option(
        '--folders <kind>',
        'what folders and collections become (default: "tags")',
      ).choices(['tags', 'lists']),
    )
    .option('--resume', 'go on with the unfinished import of the person, instead of a file')
    .option('--undo <id>', 'undo an import that ended in the last 24 hours, instead of a file')
    .option('--json', 'print an object')
    .action(async (file: string | undefined, options: Options) => {
      checkOptions(file, options);
      const { user, undo, json } = options;
      await withServices((services) =>
        undo === undefined
          ? runImport(services, file, options)
          : undoImport(services, { user, id: undo, json }),
      );
    });
}

/** @throws UsageError unless the options describe exactly one thing to do */
function checkOptions(file: string | undefined, options: Options): void {
  const { resume, undo } = options;
  if ([file, resume, undo].filter((one) => one !== undefined).length !== 1) {
    throw new UsageError('give a file, or --resume, or --undo');
  }
  if (file === undefined && (options.dryRun ?? options.restoreDeleted ?? options.folders)) {
    const name = resume ? '--resume' : '--undo';
    throw new UsageError(`${name} goes on as the import was begun, without other options`);
  }
}

async function runImport(
  services: INestApplicationContext,
  file: string | undefined,
  options: Options,
): Promise<void> {
  const { id: userId } = await services.get(UserAdministrationService).find(options.user);
  const rules = {
    restoresDeleted: options.restoreDeleted === true,
    foldersBecomeLists: options.folders === 'lists',
  };
  if (file !== undefined && options.dryRun) {
    await previewImport(services, { userId, file, rules }, options);
    return;
  }
  const imports = services.get(ImportService);
  const id =
    file === undefined
      ? await imports.unfinished(userId)
      : await imports.start(
          { userId, fileName: basename(file), ...rules },
          createReadStream(await existing(file)),
        );
  const job = await finishImport(services, userId, id);
  printNotImported(job.notImported);
  tell(`${job.rowsDone} rows of ${formatOf(job)}, import ${job.id}`);
  show(job, options);
  if (job.state !== 'done') {
    throw new Error(job.failure ?? `the import is ${job.state}`);
  }
}

interface Previewed {
  readonly userId: string;
  readonly file: string;
  readonly rules: PreviewRules;
}

async function previewImport(
  services: INestApplicationContext,
  { userId, file, rules }: Previewed,
  options: Options,
): Promise<void> {
  const forecast = await services.get(ImportPreview).of(userId, await existing(file), rules);
  const { format, formatReason, rows, notImported } = forecast;
  printNotImported(notImported);
  tell(`${rows} rows of ${format} (${formatReason}); nothing is changed`);
  show(forecast, options);
}

const formatOf = ({ format, formatReason }: ImportJob): string =>
  format === null ? 'an unknown format' : `${format} (${formatReason ?? 'by an earlier version'})`;

/**
 * Returns the path of an existing file.
 *
 * @throws UsageError if the path belongs to a directory or another object that is not a file.
 * @throws an error of the file system if nothing exists at the path.
 */
async function existing(file: string): Promise<string> {
  if (!(await stat(file)).isFile()) {
    throw new UsageError(`${file} is no file`);
  }
  return file;
}

function show(counts: ImportCounts, { json }: Options): void {
  const shown = countsOf(counts);
  printEither(json, shown, () =>
    table(
      ['became', 'rows'],
      Object.entries(shown).map(([name, rows]) => [name, String(rows)]),
    ),
  );
}

/**
 * Runs an import to its end and shows the progress. If a running service already runs the import,
 * only waits and shows the progress.
 */
async function finishImport(
  services: INestApplicationContext,
  userId: string,
  id: string,
): Promise<ImportJob> {
  const display = progressDisplay();
  const job = await followed(services, { userId, id, display }).finally(() => {
    display.end();
  });
  await tellRowErrors(services.get(ImportRepository), id);
  return job;
}

interface Followed {
  readonly userId: string;
  readonly id: string;
  readonly display: ProgressDisplay;
}

/**
 * Runs an import until it is finished or the command is interrupted. If a service runs the import,
 * only waits. Returns the import.
 */
async function followed(
  services: INestApplicationContext,
  { userId, id, display }: Followed,
): Promise<ImportJob> {
  const [imports, claims] = [services.get(ImportService), services.get(ImportRepository)];
  const stopping = stopSignal();
  let job = await imports.find(userId, id);
  while (job.finishedAt === null && !stopping.aborted) {
    const claim = await claims.claim(id);
    await (claim === undefined
      ? pause(LOOK_EVERY_MS)
      : services.get(ImportRunner).run(claim, stopping, (progress) => {
          display.update(progress);
        }));
    job = await imports.find(userId, id);
    display.update({ ...countsOf(job), rowsDone: job.rowsDone, rowCount: job.rowCount ?? 0 });
  }
  return job;
}

/**
 * Returns a signal that is aborted by SIGINT. The service or `satchel import --resume` can continue
 * the interrupted import.
 */
function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  process.once('SIGINT', () => {
    tell('stopping; the service goes on with the import, or this command with --resume');
    stopping.abort();
  });
  return stopping.signal;
}

function printNotImported(report: NotImportedReport | null): void {
  for (const sentence of notImportedMessages(report)) {
    tell(english.text(sentence));
  }
}

async function tellRowErrors(imports: ImportRepository, id: string): Promise<void> {
  let told = 0;
  for await (const { path, line, reason, excerpt } of imports.rowErrors(id)) {
    told += 1;
    if (told > SHOWN_ROW_ERRORS) {
      tell(`and more: GET /v3/import/${id}/remarks has all`);
      return;
    }
    tell(`${path === '' ? '' : `${path}, `}line ${line}: ${reason} ${excerpt}`);
  }
}

/**
 * Shows the progress of an import. On a terminal, this is a bar. Otherwise, it is a line every few
 * seconds.
 */
interface ProgressDisplay {
  update(progress: ImportProgress): void;
  end(): void;
}

const progressDisplay = (): ProgressDisplay =>
  process.stderr.isTTY ? progressBar() : progressLines();

function progressBar(): ProgressDisplay {
  const startedAt = performance.now();
  let startedWith: number | undefined;
  const bar = new SingleBar({
    format: '{bar} {percentage}% | {value}/{total} rows | {rate} rows/s | {eta_formatted} left',
    stream: process.stderr,
    etaBuffer: 50,
  });
  return {
    update({ rowsDone, rowCount }) {
      if (startedWith === undefined) {
        bar.start(rowCount, rowsDone, { rate: 0 });
      }
      startedWith ??= rowsDone;
      bar.setTotal(rowCount);
      const seconds = (performance.now() - startedAt) / 1000;
      bar.update(rowsDone, { rate: Math.round((rowsDone - startedWith) / seconds) });
    },
    end() {
      bar.stop();
    },
  };
}

function progressLines(): ProgressDisplay {
  let toldAt = performance.now();
  return {
    update({ rowsDone, rowCount }) {
      if (performance.now() - toldAt > LINE_EVERY_MS) {
        toldAt = performance.now();
        tell(`${rowsDone} of ${rowCount} rows`);
      }
    },
    end: () => undefined,
  };
}
