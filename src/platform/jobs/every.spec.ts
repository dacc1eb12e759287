import { setTimeout as pause } from 'node:timers/promises';

import { Global, Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';

import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { BackgroundWorkModule } from './background-work.js';
import { Every } from './every.js';
import { ScheduleModule } from './schedule.js';

const EVERY_MS = 5;

@Global()
@Module({
  providers: [Clock, { provide: Config, useValue: { workers: 1 } }],
  exports: [Clock, Config],
})
class GlobalsModule {}

@Injectable()
class Sweeper {
  runs = 0;
  readonly waiting: (() => void)[] = [];

  @Every(EVERY_MS)
  async sweep(): Promise<number> {
    this.runs += 1;
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    return this.runs;
  }
}

async function aSweeper({ isScheduled }: { isScheduled: boolean }) {
  const imports = isScheduled ? [GlobalsModule, BackgroundWorkModule, ScheduleModule] : [];
  const app = await Test.createTestingModule({ imports, providers: [Sweeper] }).compile();
  await app.init();
  return { app, sweeper: app.get(Sweeper) };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await pause(1);
  }
}

describe('Every', () => {
  it('begins a run only when the one before has ended', async () => {
    const { app, sweeper } = await aSweeper({ isScheduled: true });

    await until(() => sweeper.runs === 1);
    await pause(10 * EVERY_MS);
    const during = sweeper.runs;
    sweeper.waiting[0]?.();
    await until(() => sweeper.runs === 2);
    await app.close();

    expect(during).toBe(1);
  });

  it('runs no more once the application closes', async () => {
    const { app, sweeper } = await aSweeper({ isScheduled: true });
    await until(() => sweeper.runs === 1);

    await app.close();
    sweeper.waiting[0]?.();
    await pause(10 * EVERY_MS);

    expect(sweeper.runs).toBe(1);
  });

  it('runs nothing where there is no schedule, as on the command line', async () => {
    const { app, sweeper } = await aSweeper({ isScheduled: false });

    await pause(10 * EVERY_MS);
    await app.close();

    expect(sweeper.runs).toBe(0);
  });

  it('gives a call the run that is under way, of its own object alone', async () => {
    const [one, other] = [new Sweeper(), new Sweeper()];

    const runs = [one.sweep(), one.sweep(), other.sweep()];
    [...one.waiting, ...other.waiting].forEach((end) => {
      end();
    });

    expect(await Promise.all(runs)).toEqual([1, 1, 1]);
    expect([one.runs, other.runs]).toEqual([1, 1]);
  });

  it('begins again after a run that failed', async () => {
    class Failing {
      @Every(EVERY_MS)
      sweep(): Promise<void> {
        return Promise.reject(new Error('no database'));
      }
    }
    const failing = new Failing();

    const first = failing.sweep();
    await expect(first).rejects.toThrow('no database');
    const second = failing.sweep();

    expect(second).not.toBe(first);
    await expect(second).rejects.toThrow('no database');
  });
});
