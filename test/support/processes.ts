import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

import passport from 'passport';

import { runProgram } from '../../src/cli/program.js';
import { throughPooler } from './through-pooler.js';

/** Of the project; a command that runs in this process has a folder of its own meanwhile. */
const ROOT = process.cwd();

const registry = passport as unknown as { _strategies: Readonly<Record<string, unknown>> };

/** Seldom where it takes long anyhow: what looks takes a processor, too. */
const LOOK_AFTER_MS = { atLeast: 20, ofTheWait: 0.1, atMost: 250 };
/** Much longer than anything takes on a busy machine, and shorter than the time of a test, which tells less. */
const PATIENCE_MS = 120_000;

/** Waits for a condition, and fails when it does not come true. */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  what = 'the condition',
): Promise<void> {
  const begin = Date.now();
  const { atLeast, ofTheWait, atMost } = LOOK_AFTER_MS;
  while (!(await isTrue())) {
    const waited = Date.now() - begin;
    if (waited > PATIENCE_MS) {
      throw new Error(`${what} did not come true`);
    }
    await pause(Math.min(Math.max(atLeast, waited * ofTheWait), atMost));
  }
}

/** A process that has ended and is not reaped yet is not alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCodeOf(error) === 'EPERM';
  }
  const status = process.platform === 'linux' ? statusOf(pid) : '';
  return status !== undefined && !/^State:\s+[ZX]/m.test(status);
}

/** Undefined where the process has ended in between. */
function statusOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return undefined;
  }
}

const errorCodeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** Ends a process and its children at once, as a power cut does, and resolves when they are gone. */
export async function killTree(root: number): Promise<void> {
  // While it stands still it has no further child.
  signal(root, 'SIGSTOP');
  const processes = processesOf(root);
  processes.forEach((pid) => {
    signal(pid, 'SIGKILL');
  });
  await until(() => !processes.some(isAlive), 'the end of the processes');
}

/** A process, and after it its children. */
export const processesOf = (root: number): number[] => [root, ...childrenOf(root)];

/** A server may be ending already, and its children end by themselves when they notice that, perhaps before their turn. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (errorCodeOf(error) !== 'ESRCH') {
      throw error;
    }
  }
}

function childrenOf(parent: number): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=']).toString().trim().split('\n');
  return table
    .map((line) => line.trim().split(/ +/).map(Number))
    .flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid] : []));
}

export type Variables = Readonly<Record<string, string>>;

interface CommandFacts {
  /** What the command reads from standard input. */
  readonly input?: string;
  /** Besides those of the workplace. */
  readonly variables?: Variables;
}

/** A process that has ended. */
export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder of its own, where the compiled service and its command line are run. */
export class Workplace {
  readonly directory = mkdtempSync(join(tmpdir(), 'satchel-run-'));
  readonly dataDirectory = join(this.directory, 'data');

  constructor(private readonly variables: Variables = {}) {
    // PostgreSQL runs as another user when the tests are run by root.
    chmodSync(this.directory, 0o711);
  }

  /** Those at once, of any workplace, take turns: they share what belongs to the process. */
  private static last: Promise<unknown> = Promise.resolve();

  /** Runs a command in a process of its own; what it reads from standard input is a pipe, as in a script. */
  async run(
    words: readonly string[],
    { input = '', variables = {} }: CommandFacts = {},
  ): Promise<Finished> {
    const child = this.spawn('dist/src/cli.js', words, variables);
    child.stdin?.on('error', () => undefined).end(input);
    return finished(child);
  }

  /**
   * Runs a command in this process, which spares it the second that Node needs to load the service: for tests of what commands
   * do rather than of how their process ends.
   */
  runHere(
    words: readonly string[],
    { input = '', variables = {} }: CommandFacts = {},
  ): Promise<Finished> {
    const answer = Workplace.last.then(() => this.inPlaceOfThis(words, input, variables));
    Workplace.last = answer.catch(() => undefined);
    return answer;
  }

  private async inPlaceOfThis(
    words: readonly string[],
    input: string,
    variables: Variables,
  ): Promise<Finished> {
    const printed = { stdout: '', stderr: '' };
    const writers = (['stdout', 'stderr'] as const).map((name) =>
      jest.spyOn(process[name], 'write').mockImplementation((chunk, encoding, done) => {
        printed[name] += String(chunk);
        const written = typeof encoding === 'function' ? encoding : done;
        written?.();
        return true;
      }),
    );
    const read = Readable.from([input]);
    const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {};
    Object.defineProperty(process, 'stdin', { ...stdin, get: () => read });
    const environment = { ...process.env };
    // Passport has one set of strategies for a process, and the last application that starts makes them its own.
    const strategies = jest.replaceProperty(registry, '_strategies', { ...registry._strategies });
    replaceVariables(this.environment(variables));
    process.chdir(this.directory);
    try {
      return { code: await runProgram(words), signal: null, ...printed };
    } finally {
      process.chdir(ROOT);
      replaceVariables(environment);
      strategies.restore();
      Object.defineProperty(process, 'stdin', stdin);
      writers.forEach((writer) => {
        writer.mockRestore();
      });
    }
  }

  spawn(
    program: string,
    words: readonly string[] = [],
    variables: Variables = {},
    user: { uid?: number; gid?: number } = {},
  ): ChildProcess {
    return spawn(process.execPath, [resolve(ROOT, program), ...words], {
      ...user,
      cwd: this.directory,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: this.environment(variables),
    });
  }

  private environment(variables: Variables): NodeJS.ProcessEnv {
    return throughPooler({
      PATH: process.env.PATH,
      HOME: this.directory,
      DATA_DIR: this.dataDirectory,
      ...this.variables,
      ...variables,
    });
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

function replaceVariables(variables: NodeJS.ProcessEnv): void {
  Object.keys(process.env).forEach((name) => Reflect.deleteProperty(process.env, name));
  Object.assign(process.env, variables);
}

/** Resolves with everything that a process has said, when it has ended. */
export async function finished(child: ChildProcess): Promise<Finished> {
  const { stdout, stderr } = child;
  const ended = new Promise<Pick<Finished, 'code' | 'signal'>>((resolveEnd) => {
    child.once('close', (code, signal) => {
      resolveEnd({ code, signal });
    });
  });
  const [out, err, end] = await Promise.all([
    stdout === null ? '' : text(stdout),
    stderr === null ? '' : text(stderr),
    ended,
  ]);
  return { ...end, stdout: out, stderr: err };
}
