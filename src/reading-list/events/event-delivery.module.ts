import {
  type BeforeApplicationShutdown,
  Injectable,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';

import { BackgroundWork } from '../../platform/jobs/background-work.js';
import type { WorkLoops } from '../../platform/jobs/work-loops.js';
import { EventDelivery } from './event-delivery.js';
import { ListEventHandler } from './list-event-handler.js';

/** The pause in milliseconds after all events were delivered. */
const LOOK_EVERY_MS = 1000;

/** Delivers events to all handlers of the service, until the service stops. */
@Injectable()
class EventDeliveryLoop implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loops: WorkLoops;

  constructor(
    work: BackgroundWork,
    private readonly delivery: EventDelivery,
    private readonly discovery: DiscoveryService,
  ) {
    this.loops = work.add(EventDelivery.name);
  }

  onApplicationBootstrap(): void {
    const handlers = this.handlers();
    this.loops.start(() => this.delivery.deliverAll(handlers), { everyMs: LOOK_EVERY_MS });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.loops.stop();
    await this.loops.ended();
  }

  private handlers(): ListEventHandler[] {
    const instances = this.discovery
      .getProviders()
      .map(({ instance }: { instance: unknown }) => instance);
    return [...new Set(instances)].filter((instance) => instance instanceof ListEventHandler);
  }
}

/** Starts the delivery of events. The command line does not import this module, so commands deliver no events. */
@Module({ imports: [DiscoveryModule], providers: [EventDelivery, EventDeliveryLoop] })
export class EventDeliveryModule {}
