import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import pLimit from 'p-limit';

import { Config } from '../config/config.js';
import type { MailSettings } from '../config/mail-settings.js';
import { Metric, type Sample } from '../metrics/metric.js';
import { Tally } from '../metrics/tally.js';

/** A mail to one recipient. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachment?: Attachment;
  /** The address at which one request without a login stops mails of this kind (RFC 8058). */
  readonly unsubscribeUrl?: string;
  /**
   * The id of a mail that is stored until it is sent. The mailer attempts it only once, because its queue retries it.
   * Other mails get a random id.
   */
  readonly id?: string;
}

/** A file that is attached to a mail. */
export interface Attachment {
  readonly name: string;
  readonly contentType: string;
  /** Opens a new stream of the file. It is called once for each attempt to send the mail. */
  open(): Readable;
}

/**
 * The reason why a mail was not sent. `refused`: the server rejects the mail permanently. `unreachable`: no attempt
 * reached a server that accepts mail. `too-many`: too many mails are queued.
 */
export type MailFailure = 'refused' | 'unreachable' | 'too-many';

/**
 * The maximum size of a mail. Common mail servers accept this size, and the services of e-readers accept larger mails.
 */
const MOST_MAIL_BYTES = 20_000_000;
/** The number of bytes that are reserved for the text and the headers of a mail with an attachment. */
const TEXT_BYTES = 100_000;
/**
 * The size of data divided by the size of its Base64 text: a line of 78 bytes encodes 57 bytes (RFC 2045 section 6.8).
 */
const BASE64 = 57 / 78;
/**
 * The maximum size of an attachment in bytes. With a larger attachment, the mail would exceed
 * MOST_MAIL_BYTES.
 */
export const MOST_ATTACHED_BYTES = Math.floor((MOST_MAIL_BYTES - TEXT_BYTES) * BASE64);

/** Writes a mail shortly before it is sent. Returns undefined if there is nothing to send. */
type Writing = () => Promise<Mail | undefined>;

/**
 * The maximum number of mails that are written or sent in parallel. Mails with attachments have a separate limit for
 * sending.
 */
const AT_A_TIME = 2;
/**
 * The maximum number of mails with attachments that are sent in parallel. They take long, so they do not share
 * connections with other mails.
 */
const ATTACHMENTS_AT_A_TIME = 1;
const MOST_WAITING = 1000;
/** The pauses between the attempts to send a mail, in milliseconds. */
const RETRY_AFTER_MS = [2000, 15_000, 60_000];
/** The maximum time that a shutdown waits for mails that are being sent. */
const SHUTDOWN_MS = 5000;
/** The lowest code of an SMTP reply that means a permanent failure (RFC 5321 section 4.2.1). */
const PERMANENT = 500;

const CONNECTION_LIMITS = { connectionTimeout: 10_000, greetingTimeout: 10_000 };
/**
 * The maximum time in milliseconds for which a mail server may be silent. A server that scans an attachment may take
 * ten minutes to accept it (RFC 5321 section 4.5.3.2.6). A client that gives up earlier may send the mail twice.
 */
const SILENCE_MS = { withoutFile: 20_000, withFile: 10 * 60_000 };

/**
 * Sends mails in the background. HTTP responses do not wait for a mail, so the duration of a request does not reveal
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
  private readonly results = new Tally(['sent', 'retried', 'refused', 'unreachable', 'too-many']);

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

  /** Sends a mail in the background. The caller does not get the result, and failures are logged as warnings. */
  post(write: Writing): void {
    void this.send(write);
  }

  /**
   * Sends a mail. Resolves to undefined when the server has accepted it, or to the failure after the last attempt.
   * Failures are also logged as warnings.
   */
  async send(write: Writing): Promise<MailFailure | undefined> {
    if (this.open.size >= MOST_WAITING) {
      this.results.add('too-many');
      this.logger.warn(`${MOST_WAITING} mails wait already: another one is not sent`);
      return 'too-many';
    }
    const done: Promise<MailFailure | undefined> = this.deliver(write).finally(() =>
      this.open.delete(done),
    );
    this.open.add(done);
    return done;
  }

  @Metric({
    name: 'satchel_mails_total',
    help: 'Mails by result, and repeated attempts.',
    kind: 'counter',
    labels: ['result'],
  })
  resultCounts(): readonly Sample[] {
    return this.results.samples('result');
  }

  @Metric({
    name: 'satchel_mails_waiting',
    help: 'Mails in memory that are not sent yet.',
    kind: 'gauge',
  })
  waitingCount(): number {
    return this.open.size;
  }

  /** Resolves when no mail is waiting or being sent. */
  async idle(): Promise<void> {
    while (this.open.size > 0) {
      await Promise.all(this.open);
    }
  }

  /**
   * Ends the pauses between attempts and waits for the mails that are being sent. A mail that
   * waited for its next attempt gets one last attempt.
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
        await this.pass(mail, transmit);
        this.results.add('sent');
      }
      return undefined;
    } catch (error) {
      this.logger.warn(`a mail is not sent: ${reasonOf(error)}`);
      const failure = isPermanent(error) && !isLoginRefused(error) ? 'refused' : 'unreachable';
      this.results.add(failure);
      return failure;
    }
  }

  private pass(mail: Mail, transmit: Transmit): Promise<void> {
    const gate = mail.attachment === undefined ? this.gate : this.gateOfAttachments;
    const { id = randomUUID() } = mail;
    const pausesMs = mail.id === undefined ? this.retryAfterMs : [];
    return this.attempt(() => gate(() => transmit(mail, id)), pausesMs);
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
      this.results.add('retried');
      this.logger.warn(`a mail waits for another attempt: ${reasonOf(error)}`);
      await pause(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
      await this.attempt(transmit, pausesMs);
    }
  }
}

/** Sends a mail once. All attempts for a mail have the same `id`, so that recipients can detect duplicates. */
type Transmit = (mail: Mail, id: string) => Promise<{ readonly response: string }>;

/**
 * Returns a function that sends mails. The recipient's address is passed separately from the headers, so that text in
 * the address cannot add another recipient. nodemailer is loaded only when the first mail is sent, because nodemailer
 * needs 2 MB of memory.
 */
export function senderOf({ serverUrl, from }: MailSettings, silenceMs = SILENCE_MS): Transmit {
  const host = /@([^\s<>@]+)>?$/.exec(from)?.[1] ?? 'localhost';
  return async ({ to, subject, text, html, attachment, unsubscribeUrl }, id) => {
    const file = attachment?.open();
    try {
      const { createTransport } = await import('nodemailer');
      const socketTimeout = file === undefined ? silenceMs.withoutFile : silenceMs.withFile;
      const transport = createTransport({ url: serverUrl, ...CONNECTION_LIMITS, socketTimeout });
      return await transport.sendMail({
        subject,
        text,
        html,
        from,
        to: { name: '', address: to },
        messageId: `<${id}@${host}>`,
        disableFileAccess: true,
        disableUrlAccess: true,
        attachments: attachment === undefined ? [] : [attached(attachment, file)],
        headers: headersFor(unsubscribeUrl),
      });
    } finally {
      file?.destroy();
    }
  };
}

/**
 * Connects to the mail server, logs in if the settings contain a user, and disconnects.
 *
 * @throws the error of nodemailer if this fails
 */
export async function greetServer({ serverUrl }: MailSettings): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const socketTimeout = SILENCE_MS.withoutFile;
  const transport = createTransport({ url: serverUrl, ...CONNECTION_LIMITS, socketTimeout });
  await transport.verify();
}

/** With the header Auto-Submitted, automatic responders do not reply to the mail (RFC 3834). */
const headersFor = (unsubscribeUrl: string | undefined): Record<string, string> => ({
  'Auto-Submitted': 'auto-generated',
  ...(unsubscribeUrl !== undefined && {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }),
});

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
 * Returns the reason of a failure for the log. For a rejected login, returns only the number of the server's reply,
 * because its text may repeat the password.
 */
function reasonOf(error: unknown): string {
  return isLoginRefused(error)
    ? `the mail server refuses the user or the password of SMTP_URL (${numberIn(error, 'responseCode')})`
    : String(error).split('\n', 1).join('');
}
