import { configFrom } from '../../src/platform/config/config.js';
import { blocksOf, expectAsShown } from '../support/documented-commands.js';
import { DocumentedWorld } from '../support/documented-world.js';
import { ExampleSite } from '../support/example-site.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const SERVICE = 'http://127.0.0.1:3000';
const SITE = 'http://127.0.0.1:8080';
const SECRET = 'a secret of at least 32 bytes: 1';
/** Number of commands that start the service and the site. */
const PREPARING = 2;

const TOUR = 'docs/api/README.md';
const PART = '## Fetch a page';

describe('the API tour in docs/api/README.md', () => {
  let site: ExampleSite;
  let app: TestApp;

  beforeAll(async () => {
    site = await ExampleSite.served();
    app = await aTestApp({
      config: {
        ...{ resolverConcurrency: 1, resolveWaitMs: 60_000 },
        resolverAllows: { addresses: ['127.0.0.1'], ports: [site.port] },
      },
    });
  });
  afterAll(async () => {
    await app.close();
    await site.stop();
  });

  it('shows the output for the page that it adds', async () => {
    const world = await DocumentedWorld.with(app);
    await world.begin({ saved: [] });
    const addresses = { [SERVICE]: app.url, [SITE]: site.url };
    const blocks = blocksOf(TOUR, addresses, [PART]);
    const WHO = `consumer_key=${world.key}&access_token=${world.person.accessToken}`;

    const outputs = await expectAsShown(blocks.slice(PREPARING), { WHO });

    expect(outputs.length).toBeGreaterThan(1);
  });

  it('shows resolver settings that are valid and differ from the defaults', () => {
    const [{ commands } = { commands: '' }] = blocksOf(TOUR, {}, [PART]);
    const settings = Object.fromEntries(
      Array.from(commands.matchAll(/([A-Z_]+)=(\S+)/g), ([, name = '', value = '']) => [
        name,
        value,
      ]),
    ) as Record<string, string>;

    const { resolverAllows } = configFrom({
      ...settings,
      ...{ JWT_SECRET: SECRET, SESSION_SECRET: SECRET },
    });

    expect(resolverAllows).toEqual({ addresses: ['127.0.0.1'], ports: [8080] });
    expect(configFrom({ DATA_DIR: app.config.dataDirectory }).resolverAllows).toEqual({
      addresses: [],
      ports: [],
    });
  });
});
