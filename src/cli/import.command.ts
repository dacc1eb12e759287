import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';

import type { INestApplicationContext } from '@nestjs/common';
import { Command } from 'commander';

import { UserAdministrationService } from '../auth/user-administration.service.js';
import { ImportService } from '../transfer/import.service.js';
import { countsOf, type ImportCounts } from '../transfer/import-job.js';
import { ImportPreview } from '../transfer/import-preview.js';
import { finishImport } from './finish-import.js';
import { withServices } from './services.js';
import { table } from './table.js';
import { print, printJson, tell } from './terminal.js';
import { UsageError } from './usage.error.js';

interface Options {
  readonly user: string;
  readonly dryRun?: true;
  readonly resume?: true;
  readonly restoreDeleted?: true;
  readonly json?: true;
}

export function importCommand(): Command {
  return new Command('import')
    .argument('[file]')
    .description('bring an export of another service into the list of a person')
    .requiredOption('--user <email>', 'whose list')
    .option('--dry-run', 'tell what would become of the rows, and change nothing')
    .option('--restore-deleted', 'bring back items that the person has deleted here')
    .option('--resume', 'go on with the unfinished import of the person, instead of a file')
    .option('--json', 'print an object')
    .action(async (file: string | undefined, options: Options) => {
      if ((file === undefined) !== (options.resume === true)) {
        throw new UsageError('give a file, or --resume');
      }
      if (options.resume && (options.dryRun ?? options.restoreDeleted)) {
        throw new UsageError('--resume goes on as the import was begun, without other options');
      }
      await withServices((services) => runImport(services, file, options));
    });
}

async function runImport(
  services: INestApplicationContext,
  file: string | undefined,
  options: Options,
): Promise<void> {
  const { id: userId } = await services.get(UserAdministrationService).find(options.user);
  const rules = { restoresDeleted: options.restoreDeleted === true };
  if (file !== undefined && options.dryRun) {
    const { format, rows, ...counts } = await services
      .get(ImportPreview)
      .of(userId, await existing(file), rules);
    tell(`${rows} rows of ${format}; nothing is changed`);
    show(counts, options);
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
  tell(`${job.rowsDone} rows of ${job.format ?? 'an unknown format'}, import ${job.id}`);
  show(job, options);
  if (job.state !== 'done') {
    throw new Error(job.failure ?? `the import is ${job.state}`);
  }
}

/** Gives the path. Throws the error of the file system, before anything is begun. */
async function existing(file: string): Promise<string> {
  if (!(await stat(file)).isFile()) {
    throw new UsageError(`${file} is no file`);
  }
  return file;
}

function show(counts: ImportCounts, { json }: Options): void {
  const shown = countsOf(counts);
  if (json) {
    printJson(shown);
  } else {
    print(
      table(
        ['became', 'rows'],
        Object.entries(shown).map(([name, rows]) => [name, String(rows)]),
      ),
    );
  }
}
