import { SchedulerRegistry } from '@nestjs/schedule';

import type { TestApp } from './test-app.js';

/** Stops the intervals of an instance. The test itself calls their work when it is due. */
export function stopSchedule({ app }: TestApp): void {
  const registry = app.get(SchedulerRegistry);
  registry.getIntervals().forEach((name) => {
    registry.deleteInterval(name);
  });
}
