import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { DocumentedWorld, steady } from '../support/documented-world.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

interface Block {
  readonly commands: string;
  /** What the last command prints. */
  readonly output: string | undefined;
}

const BLOCK = /```sh\n([\s\S]*?)```(?:\n\n```json\n([\s\S]*?)```)?/g;
/** Stands for members that a page leaves out. */
const MORE = '…';
const ADDRESS = 'http://127.0.0.1:3000';

const blocksIn = (text: string): Block[] =>
  [...text.matchAll(BLOCK)].map(([, commands = '', output]) => ({ commands, output }));

/** What a page shows, as an expectation. */
function shown(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return value;
  }
  const { [MORE]: more, ...members } = value as Record<string, unknown>;
  const shownMembers = Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, shown(member)]),
  );
  return more === undefined ? shownMembers : (expect.objectContaining(shownMembers) as unknown);
}

/** All commands in one shell, each block's output behind a line of its own. */
async function outputsOf(blocks: readonly Block[], variables: NodeJS.ProcessEnv) {
  const quiet = 'curl() { command curl --silent --show-error --fail-with-body "$@"; }';
  const script = [quiet, ...blocks.map(({ commands }) => `${commands}\nprintf '\\n=\\n'`)].join(
    '\n',
  );
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script], {
    env: { ...process.env, ...variables },
  });
  expect(stderr.replaceAll(/^curl: \(22\).*\n/gm, '')).toBe('');
  return stdout.split('\n=\n').slice(0, -1);
}

describe('the commands of the documentation', () => {
  let app: TestApp;
  let world: DocumentedWorld;

  beforeAll(async () => {
    app = await aTestApp();
    world = await DocumentedWorld.with(app);
  });
  afterAll(() => app.close());

  const pageOf = (file: string, from = '', to?: string): Block[] => {
    const text = readFileSync(file, 'utf8').replaceAll(ADDRESS, app.url);
    return blocksIn(
      text.slice(text.indexOf(from), to === undefined ? undefined : text.indexOf(to)),
    );
  };

  async function expectAsShown(blocks: readonly Block[]): Promise<string[]> {
    const outputs = await outputsOf(blocks, {
      KEY: world.key,
      TOKEN: world.person.accessToken,
    });
    for (const [at, { output }] of blocks.entries()) {
      if (output !== undefined) {
        const expected = shown(steady(JSON.parse(output)));
        expect(steady(JSON.parse(outputs[at] ?? ''))).toEqual(expected);
      }
    }
    return outputs;
  }

  it.each(['get', 'send'])('print what docs/api/%s.md shows', async (page) => {
    await world.begin();

    const blocks = pageOf(`docs/api/${page}.md`);
    await expectAsShown(blocks);

    expect(blocks.filter(({ output }) => output !== undefined).length).toBeGreaterThan(1);
  });

  it('print what docs/api/add.md shows', async () => {
    await world.begin({ saved: [] });

    const blocks = pageOf('docs/api/add.md');
    await expectAsShown(blocks);

    expect(blocks.filter(({ output }) => output !== undefined).length).toBeGreaterThan(1);
  });

  it('print what docs/api/oauth.md shows', async () => {
    await world.begin();

    const blocks = pageOf('docs/api/oauth.md');
    await expectAsShown(blocks);

    expect(blocks.filter(({ output }) => output !== undefined).length).toBe(1);
  });

  it('print what the README shows, and work', async () => {
    await world.begin({ saved: [] });
    await world.nobody();
    const blocks = pageOf('README.md', '## Try it', '## Test it').map((block) => ({
      ...block,
      commands: block.commands.replace(/^KEY=\$\(npm run .*$/m, `KEY=${world.key}`),
    }));

    const outputs = await expectAsShown(blocks);

    expect(blocks.map(({ commands }) => commands).join()).toContain(`KEY=${world.key}`);
    const changes = JSON.parse(outputs.at(-1) ?? '') as {
      list: Record<string, { status: string }>;
    };
    expect(Object.values(changes.list).map(({ status }) => status)).toEqual(['1', '2']);
  });
});
