import type { Figures } from '../../platform/metrics/metrics.js';
import { PrometheusMetrics } from '../../platform/metrics/prometheus.js';
import { ClusterMetrics } from './cluster-metrics.js';
import type { ToWorker } from './messages.js';

/** A process whose metrics are requests to one route. */
class FakeProcess {
  private readonly metrics: PrometheusMetrics;

  constructor(processName: string) {
    this.metrics = new PrometheusMetrics({ processName, sources: () => [] });
  }

  answered(count: number): this {
    for (let n = 0; n < count; n += 1) {
      const request = { method: 'GET', route: '/list', status: 200 };
      this.metrics.observe({ ...request, milliseconds: 1, errorCode: undefined });
    }
    return this;
  }

  figures(): Promise<Figures> {
    return this.metrics.figures();
  }
}

/** A worker whose process can be replaced, and can be blocked. */
class FakeWorker {
  isReady = true;
  isBlocked = false;

  constructor(
    readonly name: string,
    public process: FakeProcess,
    private readonly cluster: () => ClusterMetrics,
  ) {}

  send(message: ToWorker): boolean {
    if (message.kind === 'measure' && !this.isBlocked) {
      void this.answer(message.call);
    }
    return true;
  }

  private async answer(call: number): Promise<void> {
    const figures = await this.process.figures();
    this.cluster().received(this, { kind: 'figures', call, figures });
  }
}

let workers: readonly [FakeWorker, FakeWorker];
let cluster: ClusterMetrics;

beforeEach(() => {
  const worker = (name: string): FakeWorker =>
    new FakeWorker(name, new FakeProcess(name).answered(2), () => cluster);
  workers = [worker('web 1'), worker('web 2')];
  cluster = new ClusterMetrics({ name: 'primary', workers, patienceMs: 50 });
});

const REQUESTS = 'satchel_http_requests_total{method="GET",route="/list",status="200"}';

async function valueOf(sample: string): Promise<number | undefined> {
  const { text } = await cluster.expose();
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length));
}

const upOf = (name: string): Promise<number | undefined> =>
  valueOf(`satchel_process_up{process="${name}"}`);

describe('ClusterMetrics', () => {
  it('adds up the counters of all workers', async () => {
    expect(await valueOf(REQUESTS)).toBe(4);
  });

  it('adds up histograms', async () => {
    const count = 'satchel_http_request_duration_seconds_count{method="GET",route="/list"}';

    expect(await valueOf(count)).toBe(4);
  });

  it('shows the memory of each process', async () => {
    const names = ['primary', 'web 1', 'web 2'];

    const bytes = await Promise.all(
      names.map((name) => valueOf(`process_resident_memory_bytes{process="${name}"}`)),
    );

    expect(bytes).toEqual(names.map(() => expect.any(Number)));
  });

  it('keeps the counters of a process that has ended, so that they never decrease', async () => {
    const [first] = workers;
    await cluster.expose();
    cluster.noteEnd(first);
    first.process = new FakeProcess('web 1').answered(1);

    expect(await valueOf(REQUESTS)).toBe(5);
    expect(await valueOf('satchel_process_restarts_total{process="web 1"}')).toBe(1);
    expect(await valueOf('satchel_process_restarts_total{process="web 2"}')).toBe(0);
  });

  it('shows a blocked worker, and its latest counters', async () => {
    const [first] = workers;
    await cluster.expose();
    first.isBlocked = true;

    expect(await upOf('web 1')).toBe(0);
    expect(await upOf('web 2')).toBe(1);
    expect(await valueOf(REQUESTS)).toBe(4);
  });

  it('shows a worker that is not ready', async () => {
    const [first] = workers;
    first.isReady = false;

    expect(await upOf('web 1')).toBe(0);
  });
});
