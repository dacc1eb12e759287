import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import pLimit from 'p-limit';

import { Config } from '../config/config.js';
import type { MailSettings } from '../config/mail-settings.js';

/** What a user gets. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachment?: Attachment;
}

/** A file that goes along with a mail. */
export interface Attachment {
  readonly name: string;
  readonly contentType: string;
  /** Reads it from its beginning, once for each attempt. */
  open(): Readable;
}

/** Why a mail was not sent: the server refuses it for good, no attempt has reached a server that takes mail, or too many wait. */
export type MailFailure = 'refused' | 'unreachable' | 'too-many';

/** Mail servers take mails of this size, and the services of e-readers larger ones. */
const MOST_MAIL_BYTES = 20_000_000;
/** Beside the attachment. */
const TEXT_BYTES = 100_000;
/** Base64 makes lines of 78 bytes out of 57 (RFC 2045 section 6.8). */
const BASE64 = 57 / 78;
/** How large an attachment may be, so that its mail is not too large. */
export const MOST_ATTACHED_BYTES = Math.floor((MOST_MAIL_BYTES - TEXT_BYTES) * BASE64);

/** Finds out in the background what is to be sent; undefined for nothing. */
type Writing = () => Promise<Mail | undefined>;

/** Works that have a connection to the server at a time, and that wait. */
const AT_A_TIME = 2;
/** Attachments take long: other mails have connections of their own. */
const ATTACHMENTS_AT_A_TIME = 1;
const MOST_WAITING = 1000;
/** The pauses before another attempt. */
const RETRY_AFTER_MS = [2000, 15_000, 60_000];
/** What is under way at the end gets this long. */
const SHUTDOWN_MS = 5000;
/** From here on a reply of SMTP is for good (RFC 5321 section 4.2.1). */
const PERMANENT = 500;

const CONNECTION_LIMITS = { connectionTimeout: 10_000, greetingTimeout: 10_000 };
/** How long a server may be silent. It takes a file that it looks at first for as long as ten minutes (RFC 5321 section 4.5.3.2.6): who gives up earlier sends it twice. */
const SILENCE_MS = { withoutFile: 20_000, withFile: 10 * 60_000 };

/** Sends mail in the background: no answer waits for it, or tells by its time whether there was any (docs/decisions/0067). */
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

  /** False where no mail server is set. */
  get isOn(): boolean {
    return this.transmit !== undefined;
  }

  /** Returns at once; what fails is warned of. */
  post(write: Writing): void {
    void this.send(write);
  }

  /** Tells when the mail is with the server, or after the last attempt why it is not; what fails is warned of as well. */
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

  /** When nothing is under way any more. */
  async idle(): Promise<void> {
    while (this.open.size > 0) {
      await Promise.all(this.open);
    }
  }

  /** No further attempts are begun. */
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

  /** The pause leaves the connection to others. */
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

/** Sends a mail; each attempt has the same id, by which a receiver knows what came twice. */
type Transmit = (mail: Mail, id: string) => Promise<{ readonly response: string }>;

/**
 * The receiver is handed over apart from the headers: nothing in it can become another one. The library is loaded with
 * the first mail: it takes 2 MB.
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
        // Programs that answer mails by themselves do not answer these (RFC 3834).
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

/** A server may repeat in its refusal what it was sent: of a refused login nothing but its number is told. */
function reasonOf(error: unknown): string {
  return isLoginRefused(error)
    ? `the mail server refuses the user or the password of SMTP_URL (${numberIn(error, 'responseCode')})`
    : String(error).split('\n', 1).join('');
}
