import { HostSlots } from './page-hosts.js';

const HOST = 'example.com';
const { signal } = new AbortController();

async function microtasks(count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    await Promise.resolve();
  }
}

/** Work that runs until the test ends it. `most` is the highest number of concurrent runs. */
class Work {
  readonly #ends: (() => void)[] = [];
  #running = 0;
  most = 0;

  readonly run = async (): Promise<void> => {
    this.#running += 1;
    this.most = Math.max(this.most, this.#running);
    await new Promise<void>((end) => this.#ends.push(end));
    this.#running -= 1;
  };

  async ended(all: readonly Promise<void>[]): Promise<void> {
    const isOver = Promise.all(all).then(() => true);
    while ((await Promise.race([isOver, new Promise(setImmediate)])) !== true) {
      this.endAll();
    }
  }

  endOne(): boolean {
    const end = this.#ends.shift();
    end?.();
    return end !== undefined;
  }

  endAll(): void {
    while (this.endOne()) {}
  }
}

describe('the slots of a host', () => {
  it.each(Array.from({ length: 20 }, (_, steps) => steps))(
    'are two, also for those who come while the last ones leave, %d steps after their end',
    async (steps) => {
      const [slots, work] = [new HostSlots(), new Work()];
      const again = (): Promise<void> => slots.run(HOST, signal, work.run);
      const all = [again(), again()];
      await new Promise(setImmediate);

      work.endOne();
      const third = microtasks(steps).then(again);
      work.endOne();
      await microtasks(40);
      all.push(third, again(), again());
      await work.ended(all);

      expect(work.most).toBe(2);
    },
  );

  it('are left by work whose time is over', async () => {
    const [slots, work, time] = [new HostSlots(), new Work(), new AbortController()];
    const [first, second] = [1, 2].map(() => slots.run(HOST, signal, work.run));
    const third = slots.run(HOST, time.signal, () => Promise.reject(new Error('asked')));

    time.abort();

    await expect(third).rejects.toThrow('No slot became free in time.');
    await new Promise(setImmediate);
    await work.ended([first!, second!]);
  });
});
