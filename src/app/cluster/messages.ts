import type { FileSecrets } from '../../platform/config/secret-files.js';
import type { Connection } from '../../platform/database/data-source.options.js';
import type { PageToResolve } from '../../reading-list/page-resolver.js';

/** What a worker does: answers requests, or reads pages, runs imports and sweeps. */
export type Role = 'web' | 'background';

/** What a worker is to do; the first that it hears. */
export interface Assignment {
  readonly kind: 'assignment';
  readonly role: Role;
  /** By which the log knows the process. */
  readonly name: string;
  readonly connection: Connection;
  /** All processes use the same secrets, even if a file has changed since the start. */
  readonly fileSecrets: FileSecrets;
  readonly isEmbedded: boolean;
  /** False while the database is away: `migrated` follows. */
  readonly isMigrated: boolean;
}

/** What became of a page that a client waits for; `busy`: too many of those that clients have sent wait, and it stays stored. */
export type PageOutcome = 'read' | 'unread' | 'busy';

/** A web worker asks for the page of an item. What the client sent of it is in the database already. */
export interface PageCall {
  readonly kind: 'page';
  /** The worker that asks, and its number for the call. */
  readonly from: number;
  readonly call: number;
  readonly page: Omit<PageToResolve, 'sent'>;
  readonly sentVersion?: string | undefined;
  readonly budgetMs: number;
}

/** The background worker answers. */
export interface PageAnswer extends Pick<PageCall, 'from' | 'call'> {
  readonly kind: 'page-answer';
  readonly outcome: PageOutcome;
}

/** A worker does what it was assigned. */
export interface Ready {
  readonly kind: 'ready';
  /** Of a web worker: where it listens. */
  readonly address?: string | undefined;
  /** Of the background worker, at the first start on the embedded database. */
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

/** `hello`: the process hears what it is told from now on. `pong` answers `ping`. */
export type FromWorker =
  { readonly kind: 'hello' } | { readonly kind: 'pong' } | Ready | Failed | PageCall | PageAnswer;

const hasKind = (message: unknown): message is { readonly kind: unknown } =>
  typeof message === 'object' && message !== null && 'kind' in message;

/** Checks the presence of `kind` only: both processes run the same release. */
export const isToWorker = (message: unknown): message is ToWorker => hasKind(message);

/** The same of what workers send. */
export const isFromWorker = (message: unknown): message is FromWorker => hasKind(message);
