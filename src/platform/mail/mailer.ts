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
  /** Opens a new stream of the file. Called once for each attempt. */
  open(): Readable;
}

/**
 * The reason why a mail was not sent. `refused`: the server permanently rejects the mail. `unreachable`: no attempt
 * reached a server that accepts mail. `too-many`: too many mails are queued.
 */
export type MailFailure = 'refused' | 'unreachable' | 'too-many';

/** The maximum size of a mail, which mail servers accept. The services of e-readers accept larger mails. */
const MOST_MAIL_BYTES = 20_000_000;
/** The number of bytes that are reserved for the text and the headers of a mail with an attachment. */
const TEXT_BYTES = 100_000;
/** The share of Base64 text that is data: a line of 78 bytes encodes 57 bytes (RFC 2045 section 6.8). */
const BASE64 = 57 / 78;
/** The maximum size of an attachment. A mail with a larger attachment would exceed MOST_MAIL_BYTES. */
export const MOST_ATTACHED_BYTES = Math.floor((MOST_MAIL_BYTES - TEXT_BYTES) * BASE64);

/** Writes the text of a mail in the background. Returns undefined if no mail is to be sent. */
type Writing = () => Promise<Mail | undefined>;

/**
 * The maximum number of mails that are written or sent at the same time. Mails with attachments are sent separately.
 */
const AT_A_TIME = 2;
/**
 * The maximum number of mails with attachments that are sent at the same time. Attachments take long, so mails without
 * attachments have separate connections.
 */
const ATTACHMENTS_AT_A_TIME = 1;
const MOST_WAITING = 1000;
/** The pauses between the attempts to send a mail. */
const RETRY_AFTER_MS = [2000, 15_000, 60_000];
/** The maximum time for which a shutdown waits for mails that are being sent. */
const SHUTDOWN_MS = 5000;
/** An SMTP reply with this code or a higher code is a permanent failure (RFC 5321 section 4.2.1). */
const PERMANENT = 500;

const CONNECTION_LIMITS = { connectionTimeout: 10_000, greetingTimeout: 10_000 };
/**
 * The maximum time for which a server may be silent. A server that scans an attachment may take ten minutes to accept
 * the mail (RFC 5321 section 4.5.3.2.6). A client that stops waiting earlier may send the mail twice.
 */
const SILENCE_MS = { withoutFile: 20_000, withFile: 10 * 60_000 };

/**
 * Sends mail in the background. A response does not wait for the mail, so the time of a response does not reveal
 * whether a mail is sent (docs/decisions/0067).
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

  /** False if no mail server is configured. */
  get isOn(): boolean {
    return this.transmit !== undefined;
  }

  /** Sends a mail without waiting for the result. Failures are logged as warnings. */
  post(write: Writing): void {
    void this.send(write);
  }

  /**
   * Sends a mail. Resolves to undefined when the server has accepted the mail, or to the failure after the last
   * attempt. Failures are also logged as warnings.
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
   * Stops retrying and waits for the mails that are being sent. A mail that waits for its next attempt gets one last
   * attempt.
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

  /** Sends a mail, and retries a failed attempt after a pause. No connection is open during the pause. */
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

/** Sends a mail. All attempts have the same `id`, so that receivers can detect duplicates. */
type Transmit = (mail: Mail, id: string) => Promise<{ readonly response: string }>;

/**
 * Returns a function that sends mails. The address of the receiver is passed separately from the headers, so that the
 * text of the address cannot add another receiver. The first mail loads nodemailer, which takes 2 MB.
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
        // Automatic responders do not reply to mails with this header (RFC 3834).
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
 * Returns the reason of a failure for the log. For a rejected login, the reason contains only the number of the reply,
 * because a server may repeat the password in the text of the reply.
 */
function reasonOf(error: unknown): string {
  return isLoginRefused(error)
    ? `the mail server refuses the user or the password of SMTP_URL (${numberIn(error, 'responseCode')})`
    : String(error).split('\n', 1).join('');
}
