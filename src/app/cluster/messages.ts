import type { FileSecrets } from '../../platform/config/secret-files.js';
import type { Connection } from '../../platform/database/data-source.options.js';
import type { Exposition, Figures } from '../../platform/metrics/metrics.js';
import type { PageToResolve } from '../../reading-list/pages/page-resolver.js';

/**
 * The role of a worker process. A `web` worker answers requests. The `background` worker fetches pages and runs imports
 * and cleanup jobs.
 */
export type Role = 'web' | 'background';

/** The first message that a worker receives. The message contains the task of the worker and its settings. */
export interface Assignment {
  readonly kind: 'assignment';
  readonly role: Role;
  /** The name of the worker process in the log. */
  readonly name: string;
  readonly connection: Connection;
  /**
   * The secrets from files. Only the primary process reads the files, so all processes use the same
   * secrets even if a file changes.
   */
  readonly fileSecrets: FileSecrets;
  readonly isEmbedded: boolean;
  /** False if the database is unavailable. A `migrated` message follows when the schema is up to date. */
  readonly isMigrated: boolean;
}

/**
 * The result of a request for a page. `written`: the item no longer waits for its page, for example because the page was
 * written to the item, or because an earlier attempt has given the page up. `notWritten`: the page is still queued, the attempt to fetch it
 * has failed, or the client has sent other content. `busy`: too many pages that clients have sent are queued. After
 * `busy`, the page content that the client sent is still stored.
 */
export type PageOutcome = 'written' | 'notWritten' | 'busy';

/**
 * A message with which a web worker requests the page of an item. If a client has sent the page's
 * content, the content is already in the database.
 */
export interface PageCall {
  readonly kind: 'page';
  /**
   * The id of the web worker. `call` identifies the request among the requests of this web worker.
   */
  readonly from: number;
  readonly call: number;
  readonly page: Omit<PageToResolve, 'sent'>;
  readonly sentVersion?: string | undefined;
  readonly budgetMs: number;
}

/** The answer of the background worker to a `PageCall`. */
export interface PageAnswer extends Pick<PageCall, 'from' | 'call'> {
  readonly kind: 'page-answer';
  readonly outcome: PageOutcome;
}

/** The metrics of a worker, as the answer to `measure`. */
export interface FiguresAnswer {
  readonly kind: 'figures';
  readonly call: number;
  readonly figures: Figures;
}

/** A message with which a worker requests the metrics of all processes. The answer is `exposition`. */
interface ExpositionCall {
  readonly kind: 'expose';
  readonly call: number;
}

/** The message that a worker sends when it has started its task. */
export interface Ready {
  readonly kind: 'ready';
  /** The address at which a web worker listens. Undefined for the background worker. */
  readonly address?: string | undefined;
  /**
   * The consumer key that is created at the first start with an embedded database. Only the background worker sends the
   * key.
   */
  readonly firstConsumerKey?: string | undefined;
}

interface Failed {
  readonly kind: 'failed';
  readonly reason: string;
}

/**
 * The messages to a worker about metrics. `measure` requests the metrics of the worker. `exposition` contains the metrics
 * of all processes.
 */
export type MetricsOrder =
  | { readonly kind: 'measure'; readonly call: number }
  | { readonly kind: 'exposition'; readonly call: number; readonly exposition: Exposition };

export type ToWorker =
  | Assignment
  | PageCall
  | PageAnswer
  | MetricsOrder
  | { readonly kind: 'migrated' }
  | { readonly kind: 'ping' }
  | { readonly kind: 'stop' };

/** The messages of a worker. `hello` means that the process can receive messages. `pong` is the answer to `ping`. */
export type FromWorker =
  { readonly kind: 'hello' } | { readonly kind: 'pong' } | Failed | WorkerMessage;

/** The messages of a worker that the primary process handles or forwards. */
export type WorkerMessage = Ready | PageCall | PageAnswer | MetricsMessage;

/** The messages of a worker about metrics. */
export type MetricsMessage = FiguresAnswer | ExpositionCall;

const hasKind = (message: unknown): message is { readonly kind: unknown } =>
  typeof message === 'object' && message !== null && 'kind' in message;

/**
 * Returns true for a message from the primary process to a worker. Checks only `kind`, because all processes run the
 * same release.
 */
export const isToWorker = (message: unknown): message is ToWorker => hasKind(message);

/**
 * Returns true for a message from a worker to the primary process. Checks only `kind`, because all processes run the
 * same release.
 */
export const isFromWorker = (message: unknown): message is FromWorker => hasKind(message);
