import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';

import { headersOf, MailServer } from '../support/mail-server.js';
import { Workplace } from '../support/processes.js';

let workplace: Workplace;
let server: MailServer | undefined;
let plain: Server | undefined;
beforeAll(() => {
  workplace = new Workplace({
    ...{ PUBLIC_URL: 'http://127.0.0.1:3000', MAIL_FROM: 'Satchel <satchel@example.com>' },
    // Nothing listens on port 1, because the command needs no database.
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
  });
});
afterAll(() => {
  workplace.remove();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  plain?.close();
  plain = undefined;
});

const test = (SMTP_URL: string, address = 'ada@example.com') =>
  workplace.runHere(['mail', 'test', address], { variables: { SMTP_URL } });

async function start(options: Parameters<typeof MailServer.begin>[0] = {}): Promise<string> {
  server = await MailServer.begin(options);
  return `127.0.0.1:${server.port}`;
}

describe('satchel mail test', () => {
  it('sends one mail and prints the response of the server', async () => {
    const address = await start();

    const { code, stdout, stderr } = await test(`smtp://${address}`);

    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^250 .+\n$/) });
    expect(stderr).toBe(`sending a test mail to ada@example.com over ${address}\n`);
    expect(headersOf(await server!.mailTo('ada@example.com'))).toContain(
      'Subject: Test mail from Satchel',
    );
  });

  it('does not retry a mail that the server rejects, and prints the response', async () => {
    const refuse = () => ({ code: 451, text: 'try\u001b[2J later' });
    const address = await start({ refuse });

    const { code, stdout, stderr } = await test(`smtp://${address}`);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('the test mail was not sent: ');
    expect(stderr).toMatch(/451 try ?\[2J later/);
    expect(server?.attempts).toBe(1);
  });

  it('explains a refused connection', async () => {
    const address = await start();
    await server?.close();
    server = undefined;

    const { code, stderr } = await test(`smtp://${address}`);

    expect(code).toBe(1);
    expect(stderr).toMatch(
      /ECONNREFUSED.*\nNo server listens there\. Check host and port of SMTP_URL/,
    );
  });

  it('explains a rejected login without printing the password', async () => {
    const address = await start({ user: 'ada', password: 'right' });

    const { code, stderr } = await test(`smtp://ada:hunter2@${address}`);

    expect(code).toBe(1);
    expect(stderr).toContain('the mail server rejects the login (535)\nCheck user and password');
    expect(stderr).not.toContain('hunter2');
  });

  it('explains that TLS fails on a port without TLS', async () => {
    const { code, stderr } = await test(`smtps://${await start()}`);

    expect(code).toBe(1);
    expect(stderr).toContain('TLS fails. smtps:// begins with TLS (port 465)');
  });

  it.each([
    ['MAIL FROM', 'The server rejects the sender. Set MAIL_FROM'],
    ['RCPT TO', 'The server rejects the receiver.'],
  ])('explains a rejected %s', async (command, hint) => {
    plain = await rejecting(command);
    const { port } = plain.address() as AddressInfo;

    const { code, stderr } = await test(`smtp://127.0.0.1:${port}`);

    expect(code).toBe(1);
    expect(stderr).toContain('550 5.7.1 not[2J you');
    expect(stderr).toContain(hint);
  });

  it('fails without SMTP_URL', async () => {
    expect(await test('')).toMatchObject({
      ...{
        code: 1,
        stdout: '',
        stderr: 'satchel: SMTP_URL is not set, so Satchel sends no mail\n',
      },
    });
  });

  it.each(['ada', 'a@b\r\nBcc: eve@example.com', ''])(
    'rejects the address %j with exit code 2',
    async (address) => {
      expect(await test(`smtp://${await start()}`, address)).toMatchObject({ code: 2, stdout: '' });
      expect(server?.attempts).toBe(0);
    },
  );
});

/** An SMTP server that rejects one command. The library of MailServer would strip the control character. */
async function rejecting(command: string): Promise<Server> {
  const rejectingServer = createServer((socket) => {
    socket.write('220 mail.example\r\n');
    socket
      .on('error', () => undefined)
      .on('data', (data) => {
        const isRejected = data.toString().startsWith(command);
        socket.write(isRejected ? '550 5.7.1 not\u001b[2J you\r\n' : '250 ok\r\n');
      });
  });
  await new Promise<void>((resolve) => rejectingServer.listen(0, '127.0.0.1', resolve));
  return rejectingServer;
}
