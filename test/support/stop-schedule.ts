import { Schedule } from '../../src/platform/jobs/schedule.js';
import type { TestApp } from './test-app.js';

/** Stops the schedule of an instance. The test itself calls the scheduled methods. */
export const stopSchedule = ({ app }: TestApp): void => {
  app.get(Schedule).beforeApplicationShutdown();
};
