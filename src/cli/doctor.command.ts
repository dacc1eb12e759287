import { Command } from 'commander';

import { ConfigError } from '../config/config.errors.js';
import { type Config, loadConfig } from '../config/config.js';
import { openDatabaseServer } from '../database/database-server.js';
import { checkDatabase } from './doctor/database.checks.js';
import { fault, type Finding, ok } from './doctor/finding.js';
import { checkDisk, checkNetwork, checkSecrets } from './doctor/host.checks.js';
import { table } from './table.js';
import { print, printJson } from './terminal.js';

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('check the configuration, the secrets, the database, the clock and the disk')
    .option('--json', 'print an array of findings')
    .action(async ({ json }: { json?: true }) => {
      const findings = await examine();
      if (json) {
        printJson(findings);
      } else {
        print(
          table(
            ['check', 'state', 'detail'],
            findings.map(({ check, state, detail }) => [check, state, detail]),
          ),
        );
      }
      const faults = findings.filter(({ state }) => state === 'fault').length;
      if (faults > 0) {
        throw new Error(`${faults} of ${findings.length} checks found a fault`);
      }
    });
}

async function examine(): Promise<Finding[]> {
  try {
    const config = loadConfig();
    return [
      ok('configuration', 'is sound'),
      checkNetwork(config),
      checkSecrets(config),
      ...(await examineDatabase(config)),
    ];
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.faults.map((text) => fault('configuration', text));
    }
    throw error;
  }
}

async function examineDatabase(config: Config): Promise<Finding[]> {
  try {
    const server = await openDatabaseServer(config);
    try {
      return [
        checkDisk(server.directory ?? config.dataDirectory),
        ...(await checkDatabase(server)),
      ];
    } finally {
      await server.close();
    }
  } catch (error) {
    return [
      checkDisk(config.dataDirectory),
      fault('database', error instanceof Error ? error.message : String(error)),
    ];
  }
}
