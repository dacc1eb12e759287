import { Readable } from 'node:stream';

import { Logger } from '@nestjs/common';

import { attachmentOf, headersOf, MailServer, partsOf } from '../../../test/support/mail-server.js';
import { DEFAULT_STYLE } from '../i18n/date-texts.js';
import { plainText } from '../i18n/message.js';
import { type Mail, Mailer } from './mailer.js';
import { Mails } from './mails.js';

const URL_OF_SERVICE = 'https://satchel.example/below';
const RECIPIENT = { email: 'ada@example.com', language: 'en' } as const;
const { email: TO } = RECIPIENT;
const A_MAIL: Mail = { to: TO, subject: 'Hello', text: 'text', html: '<p>text</p>' };
const mails = new Mails({ publicUrl: new URL(URL_OF_SERVICE) } as never);
let servers: MailServer[] = [];
let warnings: string[];

beforeEach(() => {
  warnings = [];
  jest.spyOn(Logger.prototype, 'warn').mockImplementation((message: unknown) => {
    warnings.push(String(message));
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

async function aServer(options?: Parameters<typeof MailServer.begin>[0]): Promise<MailServer> {
  const server = await MailServer.begin(options);
  servers.push(server);
  return server;
}

/** Sends a mail. Resolves when no mail is waiting or being sent. */
async function sent(
  server: MailServer,
  written: Mail,
  mail: MailServer['settings'] = server.settings,
): Promise<void> {
  const mailer = new Mailer({ mail }, [1, 1]);
  mailer.post(() => Promise.resolve(written));
  await mailer.idle();
}

describe('a mail', () => {
  it('arrives as plain text and as HTML, with the address of PUBLIC_URL', async () => {
    const server = await aServer();

    await sent(server, mails.passwordReset(RECIPIENT, '/auth/reset?token=t'));

    const mail = await server.mailTo(TO);
    const [text = '', html = ''] = partsOf(mail);
    expect([mail.from, mail.to]).toEqual(['satchel@example.com', [TO]]);
    expect(headersOf(mail)).toEqual(
      expect.arrayContaining([
        'From: Satchel <satchel@example.com>',
        `To: ${TO}`,
        'Subject: Reset your Satchel password',
        'Auto-Submitted: auto-generated',
      ]),
    );
    expect(text.trim().split(/\n\s*\n/)).toEqual([
      `Someone asked for a new password for your account at ${URL_OF_SERVICE}.`,
      `Choose a new password:\n${URL_OF_SERVICE}/auth/reset?token=t`,
      expect.stringContaining('expires after an hour'),
    ]);
    expect(html).toContain(`<a href="${URL_OF_SERVICE}/auth/reset?token=t">`);
  });

  it('escapes in HTML what a program says of itself, and leaves the text as it is', async () => {
    const server = await aServer();
    const device = '<img src=x> & "co" <%= it %>';

    const login = { device: plainText(device), address: '', at: new Date(0) };
    await sent(server, mails.newLogin(RECIPIENT, { ...login, dates: DEFAULT_STYLE }));

    const [text = '', html = ''] = partsOf(await server.mailTo(TO));
    expect(text).toContain(`Device: ${device}`);
    expect(text).toContain('Address: unknown');
    expect(text).toContain('1 January 1970');
    expect(html).toContain('&lt;img src=x&gt; &amp; &quot;co&quot; &lt;%= it %&gt;');
    expect(html).not.toContain('<img');
  });

  it.each([
    ['a line break', 'ada@example.com\r\nBcc: eve@example.com'],
    ['another receiver', 'ada@example.com, eve@example.com'],
    ['a receiver in brackets', 'ada@example.com <eve@example.com>'],
    ['a quoted receiver', '"x,<eve@example.com>,"@example.com'],
  ])('goes to no address that %s would add', async (_, to) => {
    const server = await aServer();

    await sent(server, mails.invitation({ email: to, language: 'en' }, '/auth/register'));

    const seen = server.received.flatMap((mail) => [
      ...mail.to.filter((address) => address === 'eve@example.com'),
      ...headersOf(mail).filter((line) => /^(bcc|cc):/i.test(line)),
    ]);
    expect(seen).toEqual([]);
  });

  it('has no header of what a subject would add', async () => {
    const server = await aServer();

    await sent(server, { ...A_MAIL, subject: 'x\r\nBcc: eve@example.com\r\n\r\nbody' });

    const mail = await server.mailTo(TO);
    expect(headersOf(mail).filter((line) => line.startsWith('Bcc'))).toEqual([]);
    expect(mail.to).toEqual([TO]);
  });
});

describe('a server that does not take a mail', () => {
  it('is tried again, some times', async () => {
    const replies = [{ code: 451, text: 'later' }, { code: 450, text: 'later' }, undefined];
    const server = await aServer({ refuse: () => replies.shift() });

    await sent(server, A_MAIL);

    expect(server.sentTo(TO)).toHaveLength(1);
    expect(warnings).toEqual(Array(2).fill(expect.stringMatching(/another attempt.*later/)));
  });

  it('is given up after the last attempt', async () => {
    const server = await aServer({ refuse: () => ({ code: 451, text: 'never' }) });

    await sent(server, A_MAIL);

    expect([server.attempts, server.received]).toEqual([3, []]);
    expect(warnings.at(-1)).toMatch(/^a mail is not sent: .*never/);
  });

  it('is not tried again where it refuses for good', async () => {
    const server = await aServer({ refuse: () => ({ code: 550, text: 'no such user' }) });

    await sent(server, A_MAIL);

    expect(server.attempts).toBe(1);
    expect(warnings).toEqual([expect.stringContaining('no such user')]);
  });

  it('leads to a warning where there is none', async () => {
    const server = await aServer();
    const { settings } = server;
    await server.close();
    servers = [];

    await sent(server, A_MAIL, settings);

    expect(warnings).toHaveLength(3);
    expect(warnings.at(-1)).toMatch(/ECONNREFUSED/);
  });

  it('warns without the password, which the server repeats', async () => {
    const server = await aServer({ user: 'satchel', password: 'right one' });
    const urlWith = (password: string) => ({
      ...server.settings,
      serverUrl: `smtp://satchel:${password}@127.0.0.1:${server.port}`,
    });

    await sent(server, A_MAIL, urlWith('hunter2'));

    expect(server.received).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('refuses the user or the password')]);
    expect(warnings.join()).not.toContain('hunter2');
    await sent(server, A_MAIL, urlWith('right%20one'));
    expect(server.sentTo(TO)).toHaveLength(1);
  });
});

describe('a mail with a file', () => {
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 7) % 256));
  const mailWith = (name: string): { mail: Mail; opened: Readable[] } => {
    const opened: Readable[] = [];
    const open = () => {
      const stream = Readable.from([bytes]);
      opened.push(stream);
      return stream;
    };
    const attachment = { name, contentType: 'application/epub+zip', open };
    return { mail: { ...A_MAIL, attachment }, opened };
  };

  it('brings its bytes, also with another attempt, and closes it each time', async () => {
    const replies = [{ code: 451, text: 'later' }, undefined];
    const server = await aServer({ refuse: () => replies.shift() });
    const { mail, opened } = mailWith('Ein Märchen.epub');
    const mailer = new Mailer({ mail: server.settings }, [1]);

    expect(await mailer.send(() => Promise.resolve(mail))).toBeUndefined();

    const received = await server.mailTo(TO);
    expect(attachmentOf(received)).toEqual({
      name: 'Ein Märchen.epub',
      type: 'application/epub+zip',
      bytes,
    });
    expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, true]);
  });

  it('has the same id with each attempt, and another one than the next mail', async () => {
    const ids: (string | undefined)[] = [];
    const server = await aServer({
      refuse: (raw) => {
        ids.push(/^Message-ID: (<[^>]+@example\.com>)\r$/im.exec(raw)?.[1]);
        return ids.length === 1 ? { code: 451, text: 'later' } : undefined;
      },
    });
    const mailer = new Mailer({ mail: server.settings }, [1]);

    await mailer.send(() => Promise.resolve(mailWith('a.epub').mail));
    await mailer.send(() => Promise.resolve(mailWith('a.epub').mail));

    const [first, again, next] = ids;
    expect(ids).toHaveLength(3);
    expect(first).toMatch(/^<[\w-]+@example\.com>$/);
    expect([again, again === next]).toEqual([first, false]);
  });

  it('is sent once to a server that looks at it before it answers', async () => {
    const server = await aServer({ looksForMs: 1000 });
    const silenceMs = { withoutFile: 100, withFile: 60_000 };
    const mailer = new Mailer({ mail: server.settings }, [1], silenceMs);

    expect(await mailer.send(() => Promise.resolve(mailWith('a.epub').mail))).toBeUndefined();

    expect([server.attempts, server.received.length, warnings]).toEqual([1, 1, []]);
  });

  it('has no header of what the name of the file would add', async () => {
    const server = await aServer();

    await sent(server, mailWith('x"\r\nBcc: eve@example.com\r\n.epub').mail);

    const received = await server.mailTo(TO);
    expect(received.to).toEqual([TO]);
    expect(received.raw).not.toMatch(/^Bcc:/im);
  });

  it.each([
    ['refused', { code: 552, text: 'too large' }],
    ['unreachable', { code: 451, text: 'later' }],
  ])('is %s after its attempts at a server that says so', async (failure, reply) => {
    const server = await aServer({ refuse: () => reply });
    const { mail, opened } = mailWith('a.epub');
    const mailer = new Mailer({ mail: server.settings }, [1]);

    expect(await mailer.send(() => Promise.resolve(mail))).toBe(failure);

    expect(opened.every(({ destroyed }) => destroyed)).toBe(true);
  });
});

describe('the mailer', () => {
  it('does nothing where no server is set', async () => {
    const mailer = new Mailer({ mail: undefined });
    mailer.post(() => Promise.resolve(A_MAIL));
    await mailer.idle();

    expect([mailer.isOn, warnings]).toEqual([false, []]);
  });

  it('drops what comes when a thousand wait, with a warning', async () => {
    const server = await aServer();
    const mailer = new Mailer({ mail: server.settings });
    let written = 0;
    for (let n = 0; n < 1002; n += 1) {
      mailer.post(() => {
        written += 1;
        return Promise.resolve(undefined);
      });
    }
    await mailer.idle();

    expect(written).toBe(1000);
    expect(warnings).toEqual(Array(2).fill(expect.stringContaining('is not sent')));
  });

  it('begins no further attempt after the end, and ends what is under way', async () => {
    let mailer: Mailer | undefined = undefined as Mailer | undefined;
    let ended: Promise<void> | undefined;
    const server = await aServer({
      refuse: () => {
        ended ??= mailer?.onApplicationShutdown();
        return { code: 451, text: 'later' };
      },
    });
    mailer = new Mailer({ mail: server.settings }, [3_600_000]);
    mailer.post(() => Promise.resolve(A_MAIL));
    await mailer.idle();
    await ended;

    expect(server.attempts).toBe(1);
    expect(warnings).toEqual([expect.stringMatching(/^a mail is not sent/)]);
  });
});
