import { HealthIndicatorService } from '@nestjs/terminus';
import { DataSource } from 'typeorm';

import { Database } from '../../platform/database/database.js';
import { DatabasePing } from '../../platform/database/database.module.js';
import { DatabaseIndicator } from './health.indicators.js';

function holdUp(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

it('takes no database for silent that has answered while the process was busy', async () => {
  const database = new Database(new DataSource({ type: 'postgres' }));
  jest.spyOn(database, 'isOpen', 'get').mockReturnValue(true);
  const ping = new DatabasePing({});
  jest.spyOn(ping, 'answers').mockImplementation(() => new Promise(setImmediate));
  const indicator = new DatabaseIndicator(new HealthIndicatorService(), database, ping);
  // After `setImmediate`, Node runs due timers before it handles I/O that has arrived.
  await new Promise(setImmediate);

  const checking = indicator.check();
  holdUp(1100);

  expect(await checking).toEqual({ database: { status: 'up' } });
});
