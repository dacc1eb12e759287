import { randomBytes } from 'node:crypto';

import { configFrom } from '../../platform/config/config.js';
import type { BackgroundWork } from '../../platform/jobs/background-work.js';
import type { WorkLoops } from '../../platform/jobs/work-loops.js';
import type { PageCompletion } from './page-completion.service.js';
import type { ResolutionAdministrationService } from './resolution-administration.service.js';
import { PageSchedule } from './resolver-workers.module.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe('the daily purge of pages', () => {
  const purge = jest.fn(() => Promise.resolve(3));
  const logCounts = jest.fn(() => Promise.resolve());
  const start = jest.fn<undefined, Parameters<WorkLoops['start']>>();
  const stop = jest.fn();

  beforeEach(() => {
    jest.clearAllMocks();
  });

  it('first runs 5 to 30 minutes after the start, and then once a day', async () => {
    started(4);

    const [work, { everyMs, firstMs = 0 }] = start.mock.calls[0]!;
    expect(everyMs).toBe(DAY_MS);
    expect(firstMs).toBeGreaterThanOrEqual(5 * MINUTE_MS);
    expect(firstMs).toBeLessThan(30 * MINUTE_MS);
    expect(await work()).toBe(false);
    expect(purge).toHaveBeenCalledTimes(1);
  });

  it('stops at shutdown, which logs the last counts', async () => {
    const schedule = started(4);

    await schedule.onModuleDestroy();

    expect(stop).toHaveBeenCalledTimes(1);
    expect(logCounts).toHaveBeenCalledTimes(1);
  });

  it('does not run if the instance fetches no pages', () => {
    started(0);

    expect(start).not.toHaveBeenCalled();
  });

  function started(resolverConcurrency: number): PageSchedule {
    const secret = (): string => randomBytes(32).toString('base64');
    const secrets = { JWT_SECRET: secret(), SESSION_SECRET: secret() };
    const schedule = new PageSchedule(
      { add: () => ({ start, stop }) } as unknown as BackgroundWork,
      { ...configFrom(secrets), resolverConcurrency },
      { logCounts } as unknown as PageCompletion,
      { purge } as unknown as ResolutionAdministrationService,
    );
    schedule.onModuleInit();
    return schedule;
  }
});
