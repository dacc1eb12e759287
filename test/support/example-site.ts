import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/;

/** The example site, started by its own command on a free port. */
export class ExampleSite {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async served(): Promise<ExampleSite> {
    const child = spawn(process.execPath, ['examples/serve.mjs', '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return new ExampleSite(child, ADDRESS.exec(line.toString())?.[0] ?? '');
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  async stop(): Promise<void> {
    this.child.kill();
    await once(this.child, 'exit');
  }
}
