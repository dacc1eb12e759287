import cluster from 'node:cluster';
import process from 'node:process';

import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';

import { SentPages } from '../../articles/resolver/sent-pages.service.js';
import { useHeapFrugally } from '../../lib/util/frugal-heap.js';
import { reasonOf } from '../../lib/util/reason.js';
import { type Config, inheritedConfig } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import { DatabaseOpening } from '../../platform/database/database-server.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { PageResolver } from '../../reading-list/pages/page-resolver.js';
import { createApp, firstConsumerKey } from '../application.js';
import { BackgroundPages } from './background-pages.js';
import {
  type Assignment,
  type FromWorker,
  isToWorker,
  type PageCall,
  type PageOutcome,
  type ToWorker,
} from './messages.js';
import { WorkerMetrics } from './worker-metrics.js';

/** Runs a worker until the primary process asks it to stop. If the primary process ends, Node ends the worker too. */
export function runWorker(): void {
  useHeapFrugally();
  const worker = new ServiceWorker();
  process.on('message', (message: unknown) => {
    if (isToWorker(message)) {
      worker.receive(message);
    }
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    // Workers ignore signals. A terminal sends its signals to all processes, but only the primary
    // process may stop the workers.
    process.on(signal, () => undefined);
  }
  tell({ kind: 'hello' });
}

class ServiceWorker {
  private readonly pages = new BackgroundPages(
    (call) => {
      tell({ ...call, kind: 'page', from: cluster.worker?.id ?? 0 });
    },
    async (page) => (await this.created)?.get(SentPages).discard(page) ?? false,
  );
  private readonly metrics = new WorkerMetrics(tell);
  private config: Config | undefined;
  private created: Promise<NestExpressApplication> | undefined;
  private started: Promise<void> | undefined;
  private opening: DatabaseOpening | undefined;
  private stopping: Promise<void> | undefined;

  receive(message: ToWorker): void {
    switch (message.kind) {
      case 'assignment':
        this.started = this.start(message);
        this.started.catch(fail);
        break;
      case 'migrated':
        this.open().catch(fail);
        break;
      case 'ping':
        tell({ kind: 'pong' });
        break;
      case 'page':
        void this.resolvePage(message);
        break;
      case 'page-answer':
        this.pages.answered(message);
        break;
      case 'stop':
        this.stopping ??= this.stop().then(() => process.exit(0), fail);
        break;
      default:
        void this.metrics.receive(message, async () => (await this.created)?.get(Metrics));
    }
  }

  private async start(assignment: Assignment): Promise<void> {
    const { role, name, connection, fileSecrets, isEmbedded, isMigrated } = assignment;
    const backgroundPages = role === 'web' ? this.pages : undefined;
    const config = inheritedConfig(fileSecrets);
    this.config = config;
    this.created = createApp(config, connection, {
      name,
      backgroundPages,
      exposeAll: this.metrics.expose,
    });
    const app = await this.created;
    if (isMigrated) {
      await this.open();
    }
    if (role === 'web') {
      await app.listen(config.port, config.host);
      tell({ kind: 'ready', address: await app.getUrl() });
    } else {
      await app.init();
      tell({
        kind: 'ready',
        firstConsumerKey: isEmbedded ? await firstConsumerKey(app) : undefined,
      });
    }
  }

  private async open(): Promise<void> {
    const app = await this.created;
    this.opening = new DatabaseOpening(async () => app?.get(Database).open());
    await this.opening.begin(fail);
  }

  private async stop(): Promise<void> {
    if (this.config !== undefined) {
      const limitMs = this.config.shutdownTimeoutSeconds * 2000;
      setTimeout(fail, limitMs, new Error('gave up waiting')).unref();
    }
    await this.started;
    await this.opening?.stop();
    const app = await this.created;
    await app?.close();
  }

  /** Resolves the page of an item, and sends the outcome to the web worker that requested the page. */
  private async resolvePage({ from, call, page, sentVersion, budgetMs }: PageCall): Promise<void> {
    const app = await this.created;
    const outcome =
      app === undefined ? 'notWritten' : await outcomeOf(app, { page, sentVersion, budgetMs });
    tell({ kind: 'page-answer', from, call, outcome });
  }
}

type Asked = Pick<PageCall, 'page' | 'sentVersion' | 'budgetMs'>;

/** Resolves a page. Returns `notWritten` after an error, because the page stays queued and is retried later. */
async function outcomeOf(app: NestExpressApplication, asked: Asked): Promise<PageOutcome> {
  try {
    return await resolved(app, asked);
  } catch (error) {
    new Logger('BackgroundPages').warn(error);
    return 'notWritten';
  }
}

async function resolved(
  app: NestExpressApplication,
  { page, sentVersion: version, budgetMs }: Asked,
): Promise<PageOutcome> {
  const sentPages = app.get(SentPages);
  const sent = version === undefined ? undefined : await sentPages.find({ ...page, version });
  if (version !== undefined && sent === undefined) {
    // The content was already parsed, or the client has sent other content.
    return 'notWritten';
  }
  if (sent !== undefined && sentPages.isFullFor(page.userId)) {
    return 'busy';
  }
  const isWritten = await app.get(PageResolver).resolve({ ...page, sent }, budgetMs);
  return isWritten ? 'written' : 'notWritten';
}

function tell(message: FromWorker): void {
  // `send` fails if the primary process has ended. The callback ignores this error, because Node
  // ends this process anyway. Without a callback, `send` would emit an error event.
  process.send?.(message, undefined, undefined, () => undefined);
}

/**
 * Reports the reason to the primary process and ends this process. If several workers fail during the start of the
 * service, the primary process shows only the first reason.
 */
function fail(error: unknown): void {
  const reason = reasonOf(error);
  const message: FromWorker = { kind: 'failed', reason };
  process.send?.(message, undefined, undefined, () => process.exit(1));
}
