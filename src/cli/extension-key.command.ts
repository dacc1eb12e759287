import { Command } from 'commander';

import { ExtensionKeyService } from '../auth/consumers/extension-key.service.js';
import { withService } from './services.js';
import { printEither, tell } from './terminal.js';

export function extensionKeyCommand(): Command {
  return new Command('extension-key')
    .description('print the consumer key of the browser extension; it is made if there is none')
    .option('--json', 'print an object instead of the key alone')
    .action(async ({ json }: { json?: true }) => {
      const { key, stored } = await withService(ExtensionKeyService, (keys) => keys.findOrMake());
      const { id, name, permissions, disabledAt } = stored;
      const state = disabledAt === null ? 'enabled' : 'disabled';
      printEither(json, { key, id, name, permissions, state }, () => key);
      if (disabledAt !== null) {
        tell(`The key is disabled, and lets no one in: consumer-key enable ${id}`);
      }
    });
}
