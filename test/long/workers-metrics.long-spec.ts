import { until } from '../support/processes.js';
import { METRICS_TOKEN, type Scrape, scrape } from '../support/scrape.js';
import { aFreePort, Installation } from '../support/service-process.js';
import { WorkerService } from '../support/worker-service.js';

let installation: Installation;
let service: WorkerService;
let port: string;

beforeAll(async () => {
  installation = new Installation();
  port = await aFreePort();
  service = new WorkerService(
    await installation.started({
      SATCHEL_WORKERS: '2',
      METRICS_PORT: port,
      METRICS_TOKEN,
    }),
  );
});
afterAll(() => installation.close());

const ofAll = (): Promise<Scrape> => scrape(`http://127.0.0.1:${port}`);

/** The number of answered requests at /health, of all processes together. */
const answered = (found: Scrape): number =>
  found.value('satchel_http_requests_total', {
    method: 'GET',
    route: '/health',
    status: '200',
  }) ?? 0;

const call = async (times: number): Promise<void> => {
  for (let n = 0; n < times; n += 1) {
    await fetch(`${service.service.url}/health`, { headers: { Connection: 'close' } });
  }
};

describe('the metrics of a service with workers', () => {
  it('are the sum of all processes, on both ports', async () => {
    await call(8);

    const [own, shared] = [await ofAll(), await scrape(service.service.url)];

    expect([answered(own), answered(shared)]).toEqual([8, 8]);
    expect(own.value('satchel_database_up')).toBe(1);
    expect(own.value('satchel_queue_depth', { queue: 'imports' })).toBe(0);
  });

  it('show a worker that was killed, and keep its counters', async () => {
    const before = answered(await ofAll());
    const pid = service.pidOf('web 1');

    process.kill(pid, 'SIGKILL');
    await until(() => service.pidOf('web 1') !== pid);
    const after = await ofAll();

    expect(after.value('satchel_process_restarts_total', { process: 'web 1' })).toBe(1);
    expect(answered(after)).toBe(before);
    await until(
      async () => (await ofAll()).value('satchel_process_up', { process: 'web 1' }) === 1,
    );
  });

  it('show a worker whose event loop is blocked', async () => {
    const pid = service.pidOf('web 2');
    process.kill(pid, 'SIGSTOP');

    const stopped = await ofAll();
    process.kill(pid, 'SIGCONT');

    expect(stopped.value('satchel_process_up', { process: 'web 2' })).toBe(0);
    await until(
      async () => (await ofAll()).value('satchel_process_up', { process: 'web 2' }) === 1,
    );
  });
});
