import { randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';

import { Logger } from '@nestjs/common';

import { configFrom } from '../../platform/config/config.js';
import type { PageCompletion } from './page-completion.service.js';
import type { ResolutionAdministrationService } from './resolution-administration.service.js';
import { PageSchedule } from './resolver-workers.module.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe('the daily purge of pages', () => {
  const purge = jest.fn<Promise<number>, []>();
  const logCounts = jest.fn(() => Promise.resolve());

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    purge.mockReset().mockResolvedValue(0);
    logCounts.mockClear();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('runs half an hour after the start at the latest, and then once a day', () => {
    const schedule = started(4);
    jest.advanceTimersByTime(5 * MINUTE_MS - 1);
    expect(purge).not.toHaveBeenCalled();
    jest.advanceTimersByTime(25 * MINUTE_MS + 1);
    expect(purge).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(2 * DAY_MS);
    expect(purge).toHaveBeenCalledTimes(3);
    void schedule.onModuleDestroy();
  });

  it('goes on the next day where one has failed', async () => {
    purge.mockRejectedValueOnce(new Error('no connection'));
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const schedule = started(4);
    jest.advanceTimersByTime(30 * MINUTE_MS);
    await turn();
    expect(warn).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(DAY_MS);
    expect(purge).toHaveBeenCalledTimes(2);
    void schedule.onModuleDestroy();
  });

  it('ends at shutdown, which logs the last counts', async () => {
    const schedule = started(4);
    await schedule.onModuleDestroy();
    expect(logCounts).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('stays away where no pages are read', () => {
    started(0);
    expect(jest.getTimerCount()).toBe(0);
  });

  function started(resolverConcurrency: number): PageSchedule {
    const secret = (): string => randomBytes(32).toString('base64');
    const secrets = { JWT_SECRET: secret(), SESSION_SECRET: secret() };
    const config = { ...configFrom(secrets), resolverConcurrency };
    const schedule = new PageSchedule(
      config,
      { logCounts } as unknown as PageCompletion,
      { purge } as unknown as ResolutionAdministrationService,
    );
    schedule.onModuleInit();
    return schedule;
  }
});
