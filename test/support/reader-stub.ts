import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Public } from '../../src/common/http/public.js';
import { READER_POLICY } from '../../src/pages/pages.js';
import { SendService } from '../../src/reading-list/send/send.service.js';
import type { TestApp } from './test-app.js';

let app: TestApp | undefined;
export const useApp = (used: TestApp): void => {
  app = used;
};

const page = (response: Response, html: string): void => {
  response
    .set('Content-Security-Policy', READER_POLICY)
    .set('Referrer-Policy', 'same-origin')
    .type('html')
    .send(`<main>${html}</main><script type="module" src="/pages/offline.js"></script>`);
};

@Public()
@Controller()
export class ReaderStub {
  @Get('list')
  list(@Req() { session }: Request, @Res() response: Response): void {
    page(
      response,
      `<h1>Unread of ${session.user_id}</h1><form method=post action=/list/actions><input name=_csrf value=${session.csrfToken}><input name=back value=/list><input name="item[]"><button name=action value=archive>Archive</button></form>`,
    );
  }

  @Get('read/:id')
  read(@Req() { session }: Request, @Param('id') id: string, @Res() response: Response): void {
    page(response, `<h1>Article ${id} of ${session.user_id}</h1><img src="/images/1/1/abc">`);
  }

  @Post('list/actions')
  async act(@Req() { session, body }: Request, @Res() response: Response): Promise<void> {
    if (body._csrf !== session.csrfToken) {
      response.sendStatus(403);
      return;
    }
    const { action, item } = body as { action: string; item: string[] };
    const actions = item.map((id) => ({ action, item_id: id }));
    await app!.app.get(SendService, { strict: false }).send(session.user_id!, actions, false);
    response.json({ results: [true] });
  }
}
