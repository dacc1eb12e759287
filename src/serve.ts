import process from 'node:process';
import { setFlagsFromString } from 'node:v8';

import { loadConfig } from './config/config.js';
import { startService } from './service.js';
import { welcome } from './welcome.js';

/** V8 lets garbage grow to several times what is in use; it collects at the double. At 40 % polls cost a fifth more (docs/performance.md). */
const FRUGAL_HEAP = '--heap-growing-percent=100';

/** Runs the service until a signal asks it to stop, and ends the process. */
export async function serve(): Promise<void> {
  setFlagsFromString(FRUGAL_HEAP);
  const config = loadConfig();
  const starting = startService(config, fail);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.once(signal, () => {
      // A start may wait for ever, for another instance's migrations; what it began is recovered by the next.
      setTimeout(fail, config.shutdownTimeoutSeconds * 2000, new Error('gave up waiting')).unref();
      starting.then((service) => service.stop()).then(() => process.exit(0), fail);
    });
  }
  const service = await starting;
  const address = config.publicUrl?.origin ?? service.address;
  process.stdout.write(welcome(address, service.firstConsumerKey));
}

/** Says in one line on standard error why the process ends. */
export function fail(error: unknown): never {
  process.stderr.write(`satchel: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
