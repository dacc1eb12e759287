import type { FileSecrets } from '../../platform/config/secret-files.js';
import type { Connection } from '../../platform/database/data-source.options.js';
import type { PageToResolve } from '../../reading-list/page-resolver.js';

/** The work of a worker: `web` answers requests. `background` resolves pages, runs imports and sweeps. */
export type Role = 'web' | 'background';

/** The first message that a worker receives. It assigns the worker's task. */
export interface Assignment {
  readonly kind: 'assignment';
  readonly role: Role;
  /** The name of the process in the log. */
  readonly name: string;
  readonly connection: Connection;
  /** All processes use the same secrets, even if a file has changed since the start. */
  readonly fileSecrets: FileSecrets;
  readonly isEmbedded: boolean;
  /** False while the database is unavailable. A `migrated` message follows. */
  readonly isMigrated: boolean;
}

/**
 * The outcome for a page that a client waits for. `busy`: too many pages that clients sent are queued. The page stays
 * stored.
 */
export type PageOutcome = 'read' | 'unread' | 'busy';

/** A web worker requests the page of an item. The content that the client sent is already in the database. */
export interface PageCall {
  readonly kind: 'page';
  /** The id of the web worker. `call` is the worker's number for this call. */
  readonly from: number;
  readonly call: number;
  readonly page: Omit<PageToResolve, 'sent'>;
  readonly sentVersion?: string | undefined;
  readonly budgetMs: number;
}

/** The answer of the background worker. */
export interface PageAnswer extends Pick<PageCall, 'from' | 'call'> {
  readonly kind: 'page-answer';
  readonly outcome: PageOutcome;
}

/** The worker has started its assigned task. */
export interface Ready {
  readonly kind: 'ready';
  /** For a web worker: the address at which it listens. */
  readonly address?: string | undefined;
  /** For the background worker: set at the first start on the embedded database. */
  readonly firstConsumerKey?: string | undefined;
}

interface Failed {
  readonly kind: 'failed';
  readonly reason: string;
}

export type ToWorker =
  | Assignment
  | PageCall
  | PageAnswer
  | { readonly kind: 'migrated' }
  | { readonly kind: 'ping' }
  | { readonly kind: 'stop' };

/** `hello`: the process can receive messages from now on. `pong` answers `ping`. */
export type FromWorker =
  { readonly kind: 'hello' } | { readonly kind: 'pong' } | Ready | Failed | PageCall | PageAnswer;

const hasKind = (message: unknown): message is { readonly kind: unknown } =>
  typeof message === 'object' && message !== null && 'kind' in message;

/** Checks only that `kind` is present, because both processes run the same release. */
export const isToWorker = (message: unknown): message is ToWorker => hasKind(message);

/** Checks a message from a worker in the same way. */
export const isFromWorker = (message: unknown): message is FromWorker => hasKind(message);
