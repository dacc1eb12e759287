import { setTimeout as pause } from 'node:timers/promises';

import { type Variables } from '../processes.js';
import { aFreePort, Installation, type ServiceProcess } from '../service-process.js';
import { WorkerService } from '../worker-service.js';
import { RoundRobin, type Upstream } from './round-robin.js';

interface Instance extends Upstream {
  readonly installation: Installation;
  process: ServiceProcess | undefined;
  webWorkers: number;
}

/** One outage of an instance, from the signal until its restart. */
export interface End {
  readonly instance: string;
  readonly signal: NodeJS.Signals;
  /** How many web workers the instance had. */
  readonly webWorkers: number;
  readonly from: number;
  to: number;
  code: number | null | undefined;
}

const SECRET = 'a secret of the tests that is long enough for all';

interface FleetFacts {
  readonly databaseUrl: string;
  readonly count: number;
  readonly variables?: Variables;
  /** Runs the services of all instances, as `Workplace.within` says. */
  readonly within?: readonly string[];
  /** Number of web workers for the next start of an instance; by default, one process. */
  readonly webWorkers?: () => number;
}

/** Instances of the built service on one database. A proxy sends each request of a client to the next instance. */
export class Fleet {
  readonly ends: End[] = [];

  private constructor(
    readonly instances: readonly Instance[],
    readonly proxy: RoundRobin,
    private readonly variables: Variables,
    private readonly webWorkers: () => number,
  ) {}

  static async start({
    databaseUrl,
    count,
    variables = {},
    within = [],
    webWorkers = () => 1,
  }: FleetFacts): Promise<Fleet> {
    const instances: Instance[] = [];
    for (let at = 0; at < count; at += 1) {
      // With three or more instances, the first two share a picture folder. The others create the pictures again.
      const shared = count > 2 && at === 1 ? instances[0] : undefined;
      const installation = shared?.installation ?? new Installation();
      installation.within = within;
      instances.push({
        name: `instance ${at + 1}`,
        port: await aFreePort(),
        installation,
        process: undefined,
        webWorkers: 1,
      });
    }
    const proxy = await RoundRobin.before(instances, await aFreePort());
    const common = {
      ...{ DATABASE_URL: databaseUrl, PUBLIC_URL: proxy.url, TRUST_PROXY: '1' },
      ...{ JWT_SECRET: SECRET, SESSION_SECRET: SECRET },
      ...{ SHUTDOWN_TIMEOUT: '10', REGISTRATION: 'open' },
    };
    const fleet = new Fleet(instances, proxy, { ...common, ...variables }, webWorkers);
    try {
      for (const instance of instances) {
        await fleet.begin(instance, webWorkers());
      }
    } catch (error) {
      await fleet.close();
      throw error;
    }
    return fleet;
  }

  get url(): string {
    return this.proxy.url;
  }

  /** Sends a signal to an instance. Restarts it `awayMs` after it has ended. */
  async restart(
    at: number,
    signal: 'SIGKILL' | 'SIGTERM',
    awayMs: number,
    webWorkers = this.webWorkers(),
  ): Promise<void> {
    const instance = this.instances[at % this.instances.length]!;
    const end: End = {
      instance: instance.name,
      signal,
      webWorkers: instance.webWorkers,
      from: Date.now(),
      to: Infinity,
      code: undefined,
    };
    this.ends.push(end);
    instance.process?.kill(signal);
    end.code = (await instance.process?.ended)?.code;
    await pause(awayMs);
    await this.begin(instance, webWorkers);
    end.to = Date.now();
  }

  /** The processes of an instance. Restarts an instance that runs as one process. */
  async workersOf(at: number): Promise<WorkerService> {
    const instance = this.instances[at % this.instances.length]!;
    if (instance.webWorkers === 1) {
      await this.restart(at, 'SIGTERM', 0, 2);
    }
    return new WorkerService(instance.process!);
  }

  /** Creates a consumer key in the standard dialect. */
  async consumerKey(): Promise<string> {
    return this.command(
      'consumer-key create --name Fleet --permissions retrieve,add,modify --dialect classic',
    );
  }

  /** Runs a command of the command line on the same database. Returns its output. */
  async command(words: string): Promise<string> {
    const { variables } = this;
    const { stdout } = await this.instances[0]!.installation.run(words.split(' '), { variables });
    return stdout.trim();
  }

  /** Logs of all instances. */
  get log(): string {
    return [...new Set(this.instances.map(({ installation }) => installation))]
      .map(({ log }) => log)
      .join('');
  }

  async close(): Promise<void> {
    await Promise.all(this.instances.map(({ installation }) => installation.close()));
    await this.proxy.close();
  }

  private async begin(instance: Instance, webWorkers: number): Promise<void> {
    instance.webWorkers = webWorkers;
    const workers = { SATCHEL_WORKERS: String(instance.webWorkers) };
    const variables = { ...this.variables, ...workers, PORT: instance.port };
    instance.process = await instance.installation.started(variables);
  }
}
