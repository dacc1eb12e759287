import {
  type BeforeApplicationShutdown,
  Injectable,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, MetadataScanner } from '@nestjs/core';

import { BackgroundWork } from './background-work.js';
import { Interval } from './every.js';
import type { WorkLoops } from './work-loops.js';

interface ScheduledMethod {
  /** The names of the class and of the method, such as `TombstoneSweep.sweep`. */
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
}

/** Starts all methods with the decorator `@Every`. */
@Injectable()
export class Schedule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly started: WorkLoops[] = [];

  constructor(
    private readonly work: BackgroundWork,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onApplicationBootstrap(): void {
    for (const { name, everyMs, run } of this.methods()) {
      const loops = this.work.add(name);
      loops.start(() => run().then(() => false), { everyMs, firstMs: everyMs });
      this.started.push(loops);
    }
  }

  /** Starts no further run. Does not wait for runs that have begun. */
  beforeApplicationShutdown(): void {
    this.started.forEach((loops) => {
      loops.stop();
    });
  }

  methods(): ScheduledMethod[] {
    const instances = this.discovery
      .getProviders()
      .map(({ instance }: { instance: unknown }) => instance);
    return [...new Set(instances)].flatMap((instance) =>
      typeof instance === 'object' && instance !== null ? this.methodsOf(instance) : [],
    );
  }

  private methodsOf(instance: object): ScheduledMethod[] {
    const methods = this.scanner.getAllMethodNames(Reflect.getPrototypeOf(instance));
    return methods.flatMap((method): ScheduledMethod[] => {
      const work: unknown = Reflect.get(instance, method);
      if (typeof work !== 'function') {
        return [];
      }
      const everyMs: unknown = Reflect.getMetadata(Interval.KEY, work);
      const name = `${instance.constructor.name}.${method}`;
      const run = async (): Promise<void> => {
        await Reflect.apply(work, instance, []);
      };
      return typeof everyMs === 'number' ? [{ name, everyMs, run }] : [];
    });
  }
}

/**
 * Runs the scheduled methods. Commands do not import this module, so they run no scheduled methods.
 */
@Module({ imports: [DiscoveryModule], providers: [Schedule] })
export class ScheduleModule {}
