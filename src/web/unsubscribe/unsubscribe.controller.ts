import { Get, HttpCode, HttpStatus, NotFoundException, Param, Post } from '@nestjs/common';

import { DigestLinks } from '../../apis/e-reader-mail/list-digests/digest-links.js';
import { ListDigests } from '../../apis/e-reader-mail/list-digests/list-digests.service.js';
import { message } from '../../platform/i18n/message.js';
import { messagePage } from '../message-page.js';
import { Page } from '../page.js';
import { type ShownPage, Template } from '../template.js';

const stopDigestPage = new Template<{ readonly token: string }>('unsubscribe/stop-digest', {
  hasSecretAddress: true,
});

/**
 * Turns off a digest without a login (docs/decisions/0122). Mail programs send the POST request themselves (RFC 8058),
 * so it needs no CSRF token. The signed link is the evidence instead.
 */
@Page('unsubscribe', { for: 'everyone', hasCsrfGuard: false })
export class UnsubscribeController {
  constructor(
    private readonly links: DigestLinks,
    private readonly digests: ListDigests,
  ) {}

  /** Changes nothing, because malware scanners also open the links in mails. */
  @Get(':token')
  ask(@Param('token') token: string): ShownPage {
    this.digestIn(token);
    return stopDigestPage.page({ token });
  }

  /** Answers without a redirect, because mail programs need not follow redirects. */
  @Post(':token')
  @HttpCode(HttpStatus.OK)
  async stop(@Param('token') token: string): Promise<ShownPage> {
    await this.digests.turnOff(this.digestIn(token));
    const heading = message('listDigest.stop.done');
    const text = message('listDigest.stop.doneText');
    return messagePage.page({ heading, text, isUnlisted: true }, { hasSecretAddress: true });
  }

  private digestIn(token: string) {
    const digest = this.links.digestIn(token);
    if (digest === undefined) {
      throw new NotFoundException();
    }
    return digest;
  }
}
