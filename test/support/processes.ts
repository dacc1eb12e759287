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

/** The project folder. Commands in this process change the working directory. */
const ROOT = process.cwd();

const registry = passport as unknown as { _strategies: Readonly<Record<string, unknown>> };

/** Polling interval. Longer waits poll less often, since polling uses the processor too. */
const LOOK_AFTER_MS = { atLeast: 20, ofTheWait: 0.1, atMost: 250 };
/** Far longer than any wait on a busy machine. Shorter than the test's time limit, whose error says less. */
const PATIENCE_MS = 120_000;

/**
 * Waits for a condition.
 * @throws Error if the condition does not become true in time
 */
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

/** Returns false for a process that has ended but is not reaped yet. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCodeOf(error) === 'EPERM';
  }
  const status = process.platform === 'linux' ? statusOf(pid) : '';
  return status !== undefined && !/^State:\s+[ZX]/m.test(status);
}

/** Returns undefined if the process has ended in the meantime. */
function statusOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return undefined;
  }
}

const errorCodeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** Kills a process and its children at once, as a power cut does. Resolves when all have ended. */
export async function killTree(root: number): Promise<void> {
  // A stopped process cannot start more children.
  signal(root, 'SIGSTOP');
  const processes = processesOf(root);
  processes.forEach((pid) => {
    signal(pid, 'SIGKILL');
  });
  await until(() => !processes.some(isAlive), 'the end of the processes');
}

/** Returns a process followed by its children. */
export const processesOf = (root: number): number[] => [root, ...childrenOf(root)];

/** Sends a signal. A missing process is not an error: children may end on their own when their server ends. */
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
  /** Standard input of the command. */
  readonly input?: string;
  /** Added to the variables of the workplace. */
  readonly variables?: Variables;
}

/** A process that has ended. */
export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A temporary folder in which the compiled service and its command line run. */
export class Workplace {
  readonly directory = mkdtempSync(join(tmpdir(), 'satchel-run-'));
  readonly dataDirectory = join(this.directory, 'data');

  /** The words of a program that runs another one, such as nsenter. They come before the name of this other program. */
  within: readonly string[] = [];

  constructor(private readonly variables: Variables = {}) {
    // When root runs the tests, PostgreSQL runs as another user, who needs access.
    chmodSync(this.directory, 0o711);
  }

  /** Commands of all workplaces run one after another, because they change process-wide state. */
  private static last: Promise<unknown> = Promise.resolve();

  /** Runs a command in its own process. Its standard input is a pipe, as in a script. */
  async run(
    words: readonly string[],
    { input = '', variables = {} }: CommandFacts = {},
  ): Promise<Finished> {
    const child = this.spawn('dist/src/cli.js', words, variables);
    child.stdin?.on('error', () => undefined).end(input);
    return finished(child);
  }

  /**
   * Runs a command in this process, which saves the second that Node takes to load the service. Use it for tests of a
   * command's effects, not of how its process ends.
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
    // Passport has one set of strategies per process. A starting application replaces the previous strategies.
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
    const [first, ...others] = [...this.within, process.execPath];
    return spawn(first, [...others, resolve(ROOT, program), ...words], {
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

/** Waits for the end of a process. Returns its output. */
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
