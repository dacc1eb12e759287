import { DiscoveryService } from '@nestjs/core';

type Work<Result> = () => Promise<Result>;

/** Stores the interval of a method, in milliseconds, as metadata of the method. */
export const Interval = DiscoveryService.createDecorator<number>();

/**
 * Runs a method of a provider at an interval, until the service stops. If the method is called while it runs, the
 * caller waits for the running call, and no second run starts. Errors of scheduled runs are logged as warnings (an error that continues is logged once an hour), because
 * the next run may succeed. A direct caller gets the error.
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
