import process from 'node:process';

import { useHeapFrugally } from '../lib/util/frugal-heap.js';
import { reasonOf } from '../lib/util/reason.js';
import { type Config, loadConfig } from '../platform/config/config.js';
import type { RegistrationMode } from '../platform/config/registration-mode.js';
import { addressIn } from '../platform/http/own-address.js';
import { startService } from './service.js';

/** Runs the service until a signal stops it, then ends the process. */
export async function serve(): Promise<void> {
  useHeapFrugally();
  const config = loadConfig();
  const starting = startService(config, fail);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.once(signal, () => {
      // End the process if the start hangs, for example while it waits for the migrations of another instance.
      // The next start recovers from an interrupted start.
      setTimeout(fail, config.shutdownTimeoutSeconds * 2000, new Error('gave up waiting')).unref();
      starting.then((service) => service.stop()).then(() => process.exit(0), fail);
    });
  }
  const service = await starting;
  const address = config.publicUrl === undefined ? service.address : addressIn(config.publicUrl);
  process.stdout.write(welcome(address, config, service.firstConsumerKey));
}

/** Writes the reason to standard error in one line, and ends the process with status 1. */
export function fail(error: unknown): never {
  process.stderr.write(`satchel: ${reasonOf(error)}\n`);
  process.exit(1);
}

/**
 * The text about registration in the start message, by registration mode. It warns the operator if strangers can create
 * accounts.
 */
const REGISTRATION: Readonly<Record<RegistrationMode, string>> = {
  open: 'Registration is open: anyone who reaches the service can create an account.',
  'until-first-user':
    'Registration is open for the first account, which administers the service, and closed afterwards but for invitations.',
  invite: 'Registration is by invitation: satchel user invite makes one.',
  closed: 'Registration is closed: satchel user create makes an account.',
};

const FIRST_KEY = (key: string): string => `
This is the first start. Your first consumer key, with all permissions, is shown only now:

    ${key}
`;

const TRY_IT = (address: string, key: string): string => `
Try it:

    curl ${address}/register -H 'Content-Type: application/json' -d '{"name":"Ada","email":"ada@example.com","password":"a long pass phrase"}'
    TOKEN=$(curl -s ${address}/login -H 'Content-Type: application/json' -d '{"email":"ada@example.com","password":"a long pass phrase"}' | node -p 'JSON.parse(fs.readFileSync(0)).access_token')
    curl ${address}/v3/add -d consumer_key=${key} -d access_token=$TOKEN -d url=https://example.com/

The API is described at ${address}/docs
`;

/**
 * Returns the message that the service prints when it has started. The message contains a consumer key only at the
 * first start.
 */
function welcome(
  address: string,
  { registration, passwordLogin, removedSettings }: Config,
  firstConsumerKey: string | undefined,
): string {
  const lines = [`Satchel listens on ${address}`, REGISTRATION[registration], ...removedSettings];
  const isUp = `${lines.join('\n')}\n`;
  if (firstConsumerKey === undefined) {
    return isUp;
  }
  const canRegister = registration === 'open' || registration === 'until-first-user';
  const next = canRegister && passwordLogin ? TRY_IT(address, firstConsumerKey) : '';
  return [isUp, FIRST_KEY(firstConsumerKey), next].join('');
}
