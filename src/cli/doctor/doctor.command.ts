import { existsSync, statSync } from 'node:fs';

import { Command } from 'commander';

import { availableCores } from '../../lib/util/available-cores.js';
import { type Config, loadConfig } from '../../platform/config/config.js';
import { ConfigError } from '../../platform/config/environment.js';
import { foundSecrets, secretsFile } from '../../platform/config/secrets.js';
import { addressIn } from '../../platform/http/own-address.js';
import { printEither, table } from '../terminal.js';
import { checkMail } from './check-mail.js';
import { examineDatabase } from './examine-database.js';
import { failed, type Finding, ok, warning } from './finding.js';

const OTHERS = 0o077;

export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      'check the configuration, secrets, mail server, disks and database (locks, speed, writing, schema, connections, clock), and the backups, queues, pictures and second factors',
    )
    .option('--json', 'print an array of findings')
    .action(async ({ json }: { json?: true }) => {
      const findings = await examine();
      printEither(json, findings, () =>
        table(
          ['check', 'state', 'detail'],
          findings.map(({ check, state, detail }) => [check, state, detail]),
        ),
      );
      const failures = findings.filter(({ state }) => state === 'fault').length;
      if (failures > 0) {
        throw new Error(`${failures} of ${findings.length} checks failed`);
      }
    });
}

async function examine(): Promise<Finding[]> {
  try {
    const config = loadConfig(foundSecrets);
    return [
      ok('configuration', 'is sound'),
      ...config.removedSettings.map((text) => warning('settings', text)),
      checkNetwork(config),
      checkSecrets(config),
      tellWorkers(config),
      await checkMail(config),
      ...(await examineDatabase(config)),
    ];
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.problems.map((text) => failed('configuration', text));
    }
    throw error;
  }
}

function checkNetwork({ host, publicUrl }: Config): Finding {
  const isOpen = !['127.0.0.1', '::1', 'localhost'].includes(host);
  return isOpen && publicUrl?.protocol !== 'https:'
    ? warning(
        'network',
        `HOST ${host} is open to others without TLS, unless its port is published only locally: put a proxy in front, and set PUBLIC_URL`,
      )
    : ok(
        'network',
        publicUrl === undefined ? `on ${host}` : `on ${host}, reached at ${addressIn(publicUrl)}`,
      );
}

function checkSecrets({ dataDirectory, areSecretsKept }: Config): Finding {
  if (!areSecretsKept) {
    return ok('secrets', 'from the environment');
  }
  const file = secretsFile(dataDirectory);
  if (!existsSync(file)) {
    return ok('secrets', `not created yet: the first start of the service writes ${file}`);
  }
  const isReadableByOthers = process.platform !== 'win32' && (statSync(file).mode & OTHERS) !== 0;
  return isReadableByOthers
    ? warning('secrets', `others can read ${file}: chmod 600 it`)
    : ok('secrets', `in ${file}; back it up with the database`);
}

function tellWorkers({ workers }: Config): Finding {
  const processes =
    workers === 1 ? 'one process' : `${workers} web workers, one for the background`;
  return ok('workers', `${processes}; cores that this process may use: ${availableCores()}`);
}
