import { Command } from 'commander';

import {
  ResolutionAdministrationService,
  type ResolutionStatus,
} from '../articles/resolver/resolution-administration.service.js';
import { withService } from './services.js';
import { printEither, table, tell } from './terminal.js';

export function resolveCommand(): Command {
  return new Command('resolve')
    .description('the pages behind saved addresses, which the service reads in the background')
    .addCommand(statusCommand())
    .addCommand(retryCommand())
    .addCommand(refreshCommand());
}

function statusCommand(): Command {
  return new Command('status')
    .description('tell how many pages are read, waited for, and failing')
    .option('--json', 'print an object')
    .action(async ({ json }: { json?: true }) => {
      const status = await withService(ResolutionAdministrationService, (pages) => pages.status());
      printEither(json, status, () => table(['pages', 'number'], statusRows(status)));
    });
}

/** Returns the rows of the table that `resolve status` prints: a state and the number of pages in this state. */
const statusRows = ({ failures, ...counts }: ResolutionStatus): string[][] => [
  ['read', String(counts.read)],
  ['waited for', String(counts.waiting)],
  ['being read', String(counts.reading)],
  ['to be tried again', String(counts.postponed)],
  ['given up', String(counts.givenUp)],
  ...failures.map(({ reason, pages }) => [`failed: ${reason}`, String(pages)]),
];

function retryCommand(): Command {
  return new Command('retry')
    .description('try again to read the pages of items that have none')
    .action(async () => {
      const count = await withService(ResolutionAdministrationService, (pages) => pages.retry());
      tell(`${count} items wait for their pages`);
    });
}

function refreshCommand(): Command {
  return new Command('refresh')
    .description('read the pages of all items again, where they have changed')
    .action(async () => {
      const count = await withService(ResolutionAdministrationService, (pages) => pages.refresh());
      tell(`${count} items wait for their pages`);
    });
}
