import { isEmail } from 'class-validator';
import { Command, InvalidArgumentError } from 'commander';

import { loadConfig } from '../platform/config/config.js';
import { sendTestMail } from '../platform/mail/test-mail.js';
import { tell } from './terminal.js';

export function mailCommand(): Command {
  return new Command('mail').description('the mail server of SMTP_URL').addCommand(testCommand());
}

/** Returns the command that sends a test mail. The command checks only the mail settings, so it opens no database. */
function testCommand(): Command {
  return new Command('test')
    .description('send a test mail and print what the server answers')
    .argument('<email>', 'the receiver', parseAddress)
    .action(async (email: string) => {
      const { mail } = loadConfig();
      if (mail === undefined) {
        throw new Error('SMTP_URL is not set, so Satchel sends no mail');
      }
      tell(`sending a test mail to ${email} over ${new URL(mail.serverUrl).host}`);
      const answer = await sendTestMail(mail, email);
      process.stdout.write(`${answer}\n`);
    });
}

function parseAddress(text: string): string {
  if (!isEmail(text)) {
    throw new InvalidArgumentError('Enter an email address, such as ada@example.com.');
  }
  return text;
}
