import { SchedulerRegistry } from '@nestjs/schedule';

import type { TestApp } from './test-app.js';

/** Leaves the work that an instance does every few seconds to the test, which calls it where it is due. */
export function stopSchedule({ app }: TestApp): void {
  const registry = app.get(SchedulerRegistry);
  registry.getIntervals().forEach((name) => {
    registry.deleteInterval(name);
  });
}
