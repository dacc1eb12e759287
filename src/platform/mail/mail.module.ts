import { Module } from '@nestjs/common';

import { Config } from '../config/config.js';
import { DigestMails } from './digest-mails.js';
import { Mailer } from './mailer.js';
import { Mails } from './mails.js';

@Module({
  providers: [
    { provide: Mailer, inject: [Config], useFactory: (config: Config) => new Mailer(config) },
    Mails,
    DigestMails,
  ],
  exports: [Mailer, Mails, DigestMails],
})
export class MailModule {}
