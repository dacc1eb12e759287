import type { Config } from '../../platform/config/config.js';
import type { ConsumerKeysService } from './consumer-keys.service.js';
import { ConsumerKey } from './entities/consumer-key.entity.js';
import { ExtensionKeyService } from './extension-key.service.js';

const OLD = 'the secret of an earlier year 01';
const NEW = 'the secret of the present year 2';

describe('ExtensionKeyService', () => {
  const stored = new Set<string>();
  const keys: Pick<ConsumerKeysService, 'find' | 'create'> = {
    find: (key) => Promise.resolve(stored.has(key) ? new ConsumerKey() : null),
    create: (_, options) => {
      const key = options?.adopted ?? '';
      stored.add(key);
      return Promise.resolve({ key, stored: new ConsumerKey() });
    },
  };
  const withSecrets = (...sessionSecrets: [string, ...string[]]) =>
    new ExtensionKeyService(
      { sessionSecrets } as Partial<Config> as Config,
      keys as ConsumerKeysService,
    );

  it('keeps the key of an earlier secret as long as that is accepted, and has another for another secret', async () => {
    const { key } = await withSecrets(OLD).findOrMake();

    expect((await withSecrets(NEW, OLD).findOrMake()).key).toBe(key);
    expect(stored.size).toBe(1);
    expect((await withSecrets(NEW).findOrMake()).key).not.toBe(key);
  });
});
