import { Get, NotFoundException, Param } from '@nestjs/common';

import { isId } from '../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../platform/http/answer.js';
import { Page } from '../page.js';

const MOVED = 301;

/**
 * Redirects the addresses of pages of the original Pocket. Such addresses are still in bookmarks and mails
 * (docs/use/reader.md).
 */
@Page('', { for: 'everyone' })
export class OldLinksController {
  @Get('saves')
  list(): Answer {
    return redirect('/list', MOVED);
  }

  @Get('a/read/:id')
  article(@Param('id') id: string): Answer {
    if (!isId(id)) {
      throw new NotFoundException();
    }
    return redirect(`/read/${id}`, MOVED);
  }
}
