import { SchedulerRegistry } from '@nestjs/schedule';
import { DataSource } from 'typeorm';

import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

/** Runs all scheduled jobs now. */
const runAll = (registry: SchedulerRegistry): Promise<unknown[]> =>
  Promise.all(
    registry.getIntervals().map((name) => {
      const interval: object = registry.getInterval(name);
      return Reflect.apply(Reflect.get(interval, '_onTimeout') as () => unknown, interval, []);
    }),
  );

it('warns of sweeps that fail while the database is away, as it will be there for the next ones', async () => {
  const registry = app.app.get(SchedulerRegistry);
  await app.app.get(DataSource).destroy();

  await runAll(registry);

  expect(app.log()).toContain('"level":40');
  expect(app.log()).not.toContain('"level":50');
});
