import process from 'node:process';
import { pipeline } from 'node:stream/promises';

import type { INestApplicationContext } from '@nestjs/common';
import { Command, Option } from 'commander';

import { UserAdministrationService } from '../auth/user-administration.service.js';
import {
  EXPORT_FORMATS,
  type ExportFormatName,
  type ExportOptions,
} from '../lib/library-formats/writing/export-formats.js';
import { ExportService } from '../transfer/export/export.service.js';
import { BOOK, type BookGiven, exportBook, STATE_OPTION, TAG_OPTION } from './export-book.js';
import { withServices } from './services.js';
import { STANDARD_OUTPUT, tell, UsageError } from './terminal.js';
import { writeWholeFile } from './whole-file.js';

interface Given extends BookGiven {
  readonly format: ExportFormatName | typeof BOOK;
  readonly articles?: true;
}

/** The options of `exportLibrary`: the user, the format and the target file. */
interface Export extends ExportOptions {
  readonly email: string;
  readonly format: ExportFormatName;
  readonly path: string;
  readonly force: boolean;
}

export function exportCommand(): Command {
  return new Command('export')
    .description(
      'write the library of a person to a file, which must be new, or to standard output',
    )
    .argument('[file]', 'where to; - is standard output', STANDARD_OUTPUT)
    .requiredOption('--user <email>', 'whose library')
    .addOption(
      new Option('--format <format>')
        .choices([...Object.keys(EXPORT_FORMATS), BOOK])
        .default('jsonl'),
    )
    .option('--articles', 'with the texts of articles, in jsonl')
    .addOption(STATE_OPTION)
    .addOption(TAG_OPTION)
    .option('--force', 'replace a file that is there')
    .action(run);
}

async function run(path: string, given: Given): Promise<void> {
  const { user, format, articles, force } = given;
  refuseTerminal(path, format);
  if (format === BOOK) {
    await withServices((services) => exportBook(services, path, given));
    return;
  }
  if (given.state !== undefined || given.tag !== undefined) {
    throw new UsageError('--state and --tag choose the articles of an epub');
  }
  const wanted = { email: user, format, withArticles: articles === true, path };
  await withServices((services) => exportLibrary(services, { ...wanted, force: force === true }));
}

function refuseTerminal(path: string, format: Given['format']): void {
  const isArchive = format === 'pocket-csv' || format === BOOK;
  if (path === STANDARD_OUTPUT && process.stdout.isTTY && isArchive) {
    throw new UsageError('a ZIP archive is nothing for a terminal: name a file');
  }
}

/**
 * Exports a user's library to a file. A failed export leaves no partial file.
 *
 * @throws UserNotFoundError if no user has this email address.
 */
export async function exportLibrary(
  services: INestApplicationContext,
  { email, format, withArticles, path, force }: Export,
): Promise<void> {
  const { id: userId } = await services.get(UserAdministrationService).find(email);
  const wanted = { userId, format, withArticles };
  const exports = services.get(ExportService);
  if (path === STANDARD_OUTPUT) {
    // Write a temporary file first, so that the database does not wait for a slow reader of standard output.
    await exports.spooled(wanted, new AbortController().signal, ({ file }) =>
      pipeline(file.createReadStream({ start: 0, autoClose: false }), process.stdout, {
        end: false,
      }),
    );
    return;
  }
  await writeWholeFile(path, { force }, (file) => exports.write(wanted, file));
  tell(`wrote ${path}`);
}
