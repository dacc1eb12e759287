import { DiscoveryService } from '@nestjs/core';

type Work<Result> = () => Promise<Result>;

/** Stores the interval of a method, in milliseconds, as metadata of the method. */
export const Interval = DiscoveryService.createDecorator<number>();

/**
 * Runs a method of a provider at an interval, until the service stops. If the method is called
 * during a run, the call waits for this run and returns its result. Scheduled runs log an error as
 * a warning. A repeated error is logged once an hour. A direct caller receives the error.
 */
export const Every =
  (intervalMs: number) =>
  <Result>(
    target: object,
    method: string,
    descriptor: TypedPropertyDescriptor<Work<Result>>,
  ): void => {
    const { value: work } = descriptor;
    if (work !== undefined) {
      descriptor.value = withoutOverlap(work);
      Interval(intervalMs)(target, method, descriptor);
    }
  };

function withoutOverlap<Result>(work: Work<Result>): Work<Result> {
  const running = new WeakMap<object, Promise<Result>>();
  return function run(this: object): Promise<Result> {
    const ended = running.get(this) ?? work.call(this).finally(() => running.delete(this));
    running.set(this, ended);
    return ended;
  };
}
