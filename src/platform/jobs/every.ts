import { Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

type Work<Result> = () => Promise<Result>;

/**
 * Runs a method of a provider at an interval, until the service stops. If the method is called while it runs, the
 * caller waits for the running call, and no second run starts. Errors of scheduled runs are logged as warnings, because
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
      const run = withoutOverlap(work);
      descriptor.value = run;
      const scheduled = { value: orWarn(run) };
      Interval(intervalMs)(target, method, scheduled);
      Object.defineProperty(target, `${method}OnSchedule`, scheduled);
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

function orWarn(run: Work<unknown>): Work<void> {
  return async function scheduled(this: object): Promise<void> {
    try {
      await run.call(this);
    } catch (error) {
      new Logger(this.constructor.name).warn(error);
    }
  };
}
