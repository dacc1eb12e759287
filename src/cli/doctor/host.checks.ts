import { existsSync, statfsSync, statSync } from 'node:fs';

import type { Config } from '../../config/config.js';
import { secretsFile } from '../../config/secrets.js';
import { type Finding, ok, warning } from './finding.js';

const OTHERS = 0o077;
const GIB = 1024 ** 3;
const LEAST_FREE_BYTES = GIB;

export function checkNetwork({ host, publicUrl }: Config): Finding {
  const isOpen = !['127.0.0.1', '::1', 'localhost'].includes(host);
  return isOpen && publicUrl?.protocol !== 'https:'
    ? warning(
        'network',
        `HOST ${host} is open to others without TLS: put a proxy in front, set PUBLIC_URL`,
      )
    : ok(
        'network',
        publicUrl === undefined ? `on ${host}` : `on ${host}, reached at ${publicUrl.origin}`,
      );
}

export function checkSecrets({ dataDirectory, areSecretsKept }: Config): Finding {
  if (!areSecretsKept) {
    return ok('secrets', 'from the environment');
  }
  const file = secretsFile(dataDirectory);
  const isReadableByOthers = process.platform !== 'win32' && (statSync(file).mode & OTHERS) !== 0;
  return isReadableByOthers
    ? warning('secrets', `others can read ${file}: chmod 600 it`)
    : ok('secrets', `in ${file}; back it up with the database`);
}

export function checkDisk(directory: string): Finding {
  const { bavail, bsize } = statfsSync(existsSync(directory) ? directory : '.');
  const free = `${((bavail * bsize) / GIB).toFixed(1)} GiB free`;
  return bavail * bsize < LEAST_FREE_BYTES
    ? warning('disk', `${free}: make room before the database stops`)
    : ok('disk', free);
}
