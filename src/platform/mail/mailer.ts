import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import pLimit from 'p-limit';

import { Config } from '../config/config.js';
import type { MailSettings } from '../config/mail-settings.js';

/** A mail to one receiver. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachment?: Attachment;
}

/** A file that is attached to a mail. */
export interface Attachment {
  readonly name: string;
  readonly contentType: string;
  /** Opens the file at its beginning. Called once for each attempt. */
  open(): Readable;
}

/**
 * Why a mail was not sent. `refused`: the server rejects it permanently. `unreachable`: no attempt reached a server
 * that accepts mail. `too-many`: too many mails wait.
 */
export type MailFailure = 'refused' | 'unreachable' | 'too-many';

/** Mail servers accept mails of this size, and the services of e-readers accept larger ones. */
const MOST_MAIL_BYTES = 20_000_000;
/** Reserved for the rest of a mail with an attachment. */
const TEXT_BYTES = 100_000;
/** Base64 turns 57 bytes into a line of 78 bytes (RFC 2045 section 6.8). */
const BASE64 = 57 / 78;
/** The maximum size of an attachment, so that its mail is not too large. */
export const MOST_ATTACHED_BYTES = Math.floor((MOST_MAIL_BYTES - TEXT_BYTES) * BASE64);

/** Writes the mail in the background. Returns undefined if there is nothing to send. */
type Writing = () => Promise<Mail | undefined>;

/** How many mails are written or sent at the same time, without the sending of attachments. */
const AT_A_TIME = 2;
/** Attachments take long, so other mails have separate connections. */
const ATTACHMENTS_AT_A_TIME = 1;
const MOST_WAITING = 1000;
/** The pauses before another attempt. */
const RETRY_AFTER_MS = [2000, 15_000, 60_000];
/** How long the shutdown waits for mails that are being sent. */
const SHUTDOWN_MS = 5000;
/** SMTP replies from this code on are permanent (RFC 5321 section 4.2.1). */
const PERMANENT = 500;

const CONNECTION_LIMITS = { connectionTimeout: 10_000, greetingTimeout: 10_000 };
/**
 * How long a server may be silent. A server that scans an attachment may take ten minutes to accept it (RFC 5321
 * section 4.5.3.2.6). A client that gives up earlier sends the mail twice.
 */
const SILENCE_MS = { withoutFile: 20_000, withFile: 10 * 60_000 };

/**
 * Sends mail in the background. Responses do not wait for it, and their timing does not reveal whether a mail is sent
 * (docs/decisions/0067).
 */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  private readonly logger = new Logger(Mailer.name);
  private readonly gate = pLimit(AT_A_TIME);
  private readonly gateOfAttachments = pLimit(ATTACHMENTS_AT_A_TIME);
  private readonly stopping = new AbortController();
  private readonly open = new Set<Promise<unknown>>();
  private readonly transmit: Transmit | undefined;

  constructor(
    { mail }: Pick<Config, 'mail'>,
    private readonly retryAfterMs: readonly number[] = RETRY_AFTER_MS,
    silenceMs = SILENCE_MS,
  ) {
    this.transmit = mail && senderOf(mail, silenceMs);
  }

  /** False if no mail server is set. */
  get isOn(): boolean {
    return this.transmit !== undefined;
  }

  /** Sends a mail without waiting for the result. Failures are logged as warnings. */
  post(write: Writing): void {
    void this.send(write);
  }

  /**
   * Resolves when the server has accepted the mail, or with the failure after the last attempt. Failures are also
   * logged as warnings.
   */
  async send(write: Writing): Promise<MailFailure | undefined> {
    if (this.open.size >= MOST_WAITING) {
      this.logger.warn(`${MOST_WAITING} mails wait already: another one is not sent`);
      return 'too-many';
    }
    const done: Promise<MailFailure | undefined> = this.deliver(write).finally(() =>
      this.open.delete(done),
    );
    this.open.add(done);
    return done;
  }

  /** Resolves when no mail is waiting or being sent. */
  async idle(): Promise<void> {
    while (this.open.size > 0) {
      await Promise.all(this.open);
    }
  }

  /**
   * Stops retrying and waits for the mails that are being sent. A mail in a pause between attempts is tried once more.
   */
  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.race([this.idle(), pause(SHUTDOWN_MS, undefined, { ref: false })]);
  }

  private async deliver(write: Writing): Promise<MailFailure | undefined> {
    const { transmit } = this;
    try {
      const mail = transmit && (await this.gate(write));
      if (transmit !== undefined && mail !== undefined) {
        const gate = mail.attachment === undefined ? this.gate : this.gateOfAttachments;
        const id = randomUUID();
        await this.attempt(() => gate(() => transmit(mail, id)), this.retryAfterMs);
      }
      return undefined;
    } catch (error) {
      this.logger.warn(`a mail is not sent: ${reasonOf(error)}`);
      return isPermanent(error) && !isLoginRefused(error) ? 'refused' : 'unreachable';
    }
  }

  /** Sends a mail, and retries after a pause. The pause occupies no connection. */
  private async attempt(
    transmit: () => Promise<unknown>,
    [pauseMs, ...pausesMs]: readonly number[],
  ): Promise<void> {
    const { signal } = this.stopping;
    try {
      await transmit();
    } catch (error) {
      if (pauseMs === undefined || signal.aborted || isPermanent(error)) {
        throw error;
      }
      this.logger.warn(`a mail waits for another attempt: ${reasonOf(error)}`);
      await pause(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
      await this.attempt(transmit, pausesMs);
    }
  }
}

/** Sends a mail. All attempts use the same id, so that receivers can detect duplicates. */
type Transmit = (mail: Mail, id: string) => Promise<{ readonly response: string }>;

/**
 * Returns a function that sends mails. The receiver is passed separately from the headers, so that its text cannot add
 * another one. nodemailer is loaded with the first mail, because it takes 2 MB.
 */
export function senderOf({ serverUrl, from }: MailSettings, silenceMs = SILENCE_MS): Transmit {
  const host = /@([^\s<>@]+)>?$/.exec(from)?.[1] ?? 'localhost';
  return async ({ to, attachment, ...content }, id) => {
    const file = attachment?.open();
    try {
      const { createTransport } = await import('nodemailer');
      const socketTimeout = file === undefined ? silenceMs.withoutFile : silenceMs.withFile;
      const transport = createTransport({ url: serverUrl, ...CONNECTION_LIMITS, socketTimeout });
      return await transport.sendMail({
        ...content,
        from,
        to: { name: '', address: to },
        messageId: `<${id}@${host}>`,
        disableFileAccess: true,
        disableUrlAccess: true,
        attachments: attachment === undefined ? [] : [attached(attachment, file)],
        // Automatic responders do not reply to such mails (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    } finally {
      file?.destroy();
    }
  };
}

const attached = ({ name, contentType }: Attachment, content: Readable | undefined) => ({
  filename: name,
  contentType,
  content,
  contentDisposition: 'attachment' as const,
});

const numberIn = (error: unknown, name: string): number => {
  const value: unknown = error instanceof Error ? Reflect.get(error, name) : undefined;
  return typeof value === 'number' ? value : 0;
};

const isPermanent = (error: unknown): boolean => numberIn(error, 'responseCode') >= PERMANENT;

const isLoginRefused = (error: unknown): boolean =>
  error instanceof Error && Reflect.get(error, 'code') === 'EAUTH';

/**
 * Returns the reason for the log. A server may repeat in its reply what was sent, so only the number of a rejected
 * login is logged.
 */
function reasonOf(error: unknown): string {
  return isLoginRefused(error)
    ? `the mail server refuses the user or the password of SMTP_URL (${numberIn(error, 'responseCode')})`
    : String(error).split('\n', 1).join('');
}
