import { ClientsService } from '../../src/auth/consumers/clients.service.js';
import { ALL_PERMISSIONS } from '../../src/auth/consumers/permission.js';
import { PersonalKeysService } from '../../src/auth/consumers/personal-keys.service.js';
import { UserRepository } from '../../src/auth/user.repository.js';
import { type Block, blocksOf, expectAsShown } from '../support/documented-commands.js';
import { DocumentedWorld } from '../support/documented-world.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const ADDRESS = 'http://127.0.0.1:3000';

describe('documented commands', () => {
  let app: TestApp;
  let world: DocumentedWorld;

  beforeAll(async () => {
    app = await aTestApp();
    world = await DocumentedWorld.with(app);
  });
  afterAll(() => app.close());

  const blocksIn = (file: string, ...part: string[]): Block[] =>
    blocksOf(file, { [ADDRESS]: app.url }, part);

  const run = (blocks: readonly Block[]): Promise<string[]> =>
    expectAsShown(blocks, { KEY: world.key, TOKEN: world.person.accessToken });

  it.each(['get', 'send'])('print the output shown in docs/api/%s.md', async (page) => {
    await world.begin();

    const blocks = blocksIn(`docs/api/${page}.md`);
    await run(blocks);

    expect(blocks.filter(({ output }) => output !== undefined).length).toBeGreaterThan(1);
  });

  it('print the output shown in docs/api/add.md', async () => {
    await world.begin({ saved: [] });

    const blocks = blocksIn('docs/api/add.md');
    await run(blocks);

    expect(blocks.filter(({ output }) => output !== undefined).length).toBeGreaterThan(1);
  });

  it('print the output shown in docs/api/personal-keys.md, with a personal key', async () => {
    await world.begin({ saved: [] });
    const user = await app.app.get(UserRepository).findOneByOrFail({ id: world.person.id });
    const details = { name: 'Script', permissions: [...ALL_PERMISSIONS] };
    const pair = await app.app.get(PersonalKeysService).create(user, details);
    const blocks = blocksIn('docs/api/personal-keys.md');

    await expectAsShown(blocks, { KEY: pair.consumerKey, TOKEN: pair.accessToken });

    expect(blocks.filter(({ output }) => output !== undefined).length).toBe(1);
  });

  it('print the output shown in docs/api/wallabag.md, and return tokens', async () => {
    await world.begin({ saved: [] });
    const { clientId, clientSecret } = await app.app
      .get(ClientsService)
      .createShared({ name: 'Family tablet', permissions: [...ALL_PERMISSIONS] });
    const blocks = blocksIn('docs/api/wallabag.md');

    const outputs = await expectAsShown(blocks, {
      ...{ CLIENT_ID: clientId, CLIENT_SECRET: clientSecret },
    });

    expect(blocks.filter(({ output }) => output !== undefined).length).toBe(1);
    expect(JSON.parse(outputs[0] ?? '')).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
  });

  it('print the output shown in docs/api/oauth.md', async () => {
    await world.begin();

    const blocks = blocksIn('docs/api/oauth.md');
    await run(blocks);

    expect(blocks.filter(({ output }) => output !== undefined).length).toBe(1);
  });

  it('print the output shown in docs/api/README.md, and change the list', async () => {
    await world.begin({ saved: [] });
    await world.withoutUsers();
    const blocks = blocksIn('docs/api/README.md', '## Save, read', '## Fetch a page').map(
      (block) => ({
        ...block,
        commands: block.commands.replace(/^KEY=\$\(npm run .*$/m, `KEY=${world.key}`),
      }),
    );

    const outputs = await run(blocks);

    expect(blocks.map(({ commands }) => commands).join()).toContain(`KEY=${world.key}`);
    const changes = JSON.parse(outputs.at(-1) ?? '') as {
      list: Record<string, { status: string }>;
    };
    expect(Object.values(changes.list).map(({ status }) => status)).toEqual(['1', '2']);
  });
});
