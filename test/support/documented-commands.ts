import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { steady } from './documented-world.js';

/** Commands in a documentation page. */
export interface Block {
  readonly commands: string;
  /** Expected output of the last command. */
  readonly output: string | undefined;
}

const BLOCK = /```sh\n([\s\S]*?)```(?:\n\n```json\n([\s\S]*?)```)?/g;
/** Marks members that a page leaves out. */
const MORE = '…';

/** Returns the blocks of a page, or of the part between two headings. Replaces the addresses that the page uses. */
export function blocksOf(
  file: string,
  addresses: Readonly<Record<string, string>>,
  [from, to]: readonly string[] = [],
): Block[] {
  const page = readFileSync(file, 'utf8');
  const part = page.slice(
    from === undefined ? 0 : page.indexOf(from),
    to === undefined ? undefined : page.indexOf(to),
  );
  const text = Object.entries(addresses).reduce((all, pair) => all.replaceAll(...pair), part);
  return [...text.matchAll(BLOCK)].map(([, commands = '', output]) => ({ commands, output }));
}

/** Converts the documented output to an expectation. */
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

/** Runs all commands in one shell. A separator line follows each block's output. */
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

/** Runs the commands and expects the documented output of each block. Returns the printed outputs. */
export async function expectAsShown(
  blocks: readonly Block[],
  variables: NodeJS.ProcessEnv,
): Promise<string[]> {
  const outputs = await outputsOf(blocks, variables);
  for (const [at, { output }] of blocks.entries()) {
    if (output !== undefined) {
      const expected = shown(steady(JSON.parse(output)));
      expect(steady(JSON.parse(outputs[at] ?? ''))).toEqual(expected);
    }
  }
  return outputs;
}
