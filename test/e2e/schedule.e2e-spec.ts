import { DataSource } from 'typeorm';

import { Schedule } from '../../src/platform/jobs/schedule.js';
import { WorkLoops } from '../../src/platform/jobs/work-loops.js';
import { until } from '../support/processes.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const AN_HOUR_MS = 3_600_000;

let app: TestApp;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

it('logs failed sweeps as warnings while the database is unavailable', async () => {
  const methods = app.app.get(Schedule).methods();
  const loops = methods.map(({ name }) => new WorkLoops(name, app.clock));
  await app.app.get(DataSource).destroy();

  methods.forEach(({ run }, at) => {
    loops[at]?.start(() => run().then(() => false), { everyMs: AN_HOUR_MS });
  });
  await until(() => loops.some(({ report }) => report.status === 'down'));
  loops.forEach((loop) => {
    loop.stop();
  });
  await Promise.all(loops.map((loop) => loop.ended()));

  expect(methods.length).toBeGreaterThan(8);
  expect(app.log()).toContain('"context":"TombstoneSweep.sweep"');
  expect(app.log()).not.toContain('"level":50');
});
