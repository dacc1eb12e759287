import type { Exposition, Metrics } from '../../platform/metrics/metrics.js';
import type { FromWorker, MetricsOrder } from './messages.js';

/** Sends the metrics of a worker to the primary process, and requests those of all processes from it. */
export class WorkerMetrics {
  private readonly waiting = new Map<number, (exposition: Exposition) => void>();
  private calls = 0;

  constructor(private readonly tell: (message: FromWorker) => void) {}

  /** Returns the metrics of all processes. */
  readonly expose = (): Promise<Exposition> =>
    new Promise((resolve) => {
      this.calls += 1;
      this.waiting.set(this.calls, resolve);
      this.tell({ kind: 'expose', call: this.calls });
    });

  /** Handles a message of the primary process. Before the application is created, the worker has no metrics. */
  async receive(message: MetricsOrder, find: () => Promise<Metrics | undefined>): Promise<void> {
    const { call } = message;
    if (message.kind === 'exposition') {
      this.waiting.get(call)?.(message.exposition);
      this.waiting.delete(call);
      return;
    }
    const metrics = await find();
    if (metrics !== undefined) {
      this.tell({ kind: 'figures', call, figures: await metrics.figures() });
    }
  }
}
