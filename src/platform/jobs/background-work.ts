import { Global, Injectable, Module } from '@nestjs/common';

import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { Metric, type Sample } from '../metrics/metric.js';
import { Activity } from './activity.js';
import { type LoopsReport, WorkLoops } from './work-loops.js';

/** The list of all background work of this process. `/health` shows it. */
@Injectable()
export class BackgroundWork {
  private readonly all: WorkLoops[] = [];
  private readonly activity: Activity;

  constructor(
    private readonly clock: Clock,
    { workers }: Config,
  ) {
    this.activity = new Activity(workers === 1);
  }

  /**
   * Adds work to the list. The name is shown in the log and by `/health`. Use the name of a class,
   * or of a class and a method, such as `TombstoneSweep.sweep`.
   */
  add(name: string): WorkLoops {
    const loops = new WorkLoops(name, this.clock, this.activity);
    this.all.push(loops);
    return loops;
  }

  /** Records a request, which may create work. The loops then look for work as often as usual. */
  noteRequest(): void {
    this.activity.note();
  }

  @Metric({
    name: 'satchel_background_work_up',
    help: '1 if the latest run of the background work succeeded, else 0.',
    kind: 'gauge',
    labels: ['work'],
  })
  upByWork(): readonly Sample[] {
    return Object.entries(this.reports()).map(([work, { status }]) => ({
      labels: { work },
      value: Number(status === 'up'),
    }));
  }

  @Metric({
    name: 'satchel_background_work_last_success_timestamp_seconds',
    help: 'Time of the last successful run of the background work.',
    kind: 'gauge',
    labels: ['work'],
  })
  lastSuccessByWork(): readonly Sample[] {
    return Object.entries(this.reports()).flatMap(([work, { last_success_at: at }]) =>
      at === null ? [] : [{ labels: { work }, value: Date.parse(at) / 1000 }],
    );
  }

  /** Returns the state of each kind of work that this process does, by name. */
  reports(): Record<string, LoopsReport> {
    return Object.fromEntries(
      this.all.filter(({ hasLoops }) => hasLoops).map(({ name, report }) => [name, report]),
    );
  }
}

@Global()
@Module({ providers: [BackgroundWork], exports: [BackgroundWork] })
export class BackgroundWorkModule {}
