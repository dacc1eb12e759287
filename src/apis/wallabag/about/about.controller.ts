import { Controller, RequestMethod, Res } from '@nestjs/common';
import type { Response } from 'express';

import { RegistrationClosedError } from '../../../auth/auth.errors.js';
import { Permission } from '../../../auth/consumers/permission.js';
import { CurrentWallabagUser, type WallabagUser } from '../wallabag.guard.js';
import { OpenWallabagRoute, WallabagRoute } from '../wallabag-route.js';
import { formatWallabagDate, sendWallabag } from '../wire/wallabag-answers.js';

/**
 * The reported version of wallabag, with three numbers. Compared as text, it is later than every version that a client
 * requires.
 */
const VERSION = '2.6.14';

/** The information about the server. A Flutter client accepts no other `appname`. */
const INFO = { appname: 'wallabag', version: VERSION, allowed_registration: false };

/** Returns information about the server and the user (docs/api/wallabag.md). */
@Controller('wallabag/api')
export class AboutController {
  @OpenWallabagRoute(RequestMethod.GET, 'version')
  version(@Res() response: Response): void {
    sendWallabag(response, VERSION);
  }

  @OpenWallabagRoute(RequestMethod.GET, 'info')
  info(@Res() response: Response): void {
    sendWallabag(response, INFO);
  }

  @WallabagRoute(RequestMethod.GET, 'user', Permission.Retrieve)
  user(@CurrentWallabagUser() user: WallabagUser, @Res() response: Response): void {
    const { id, name, email, createdAt } = user;
    const since = formatWallabagDate(createdAt);
    sendWallabag(response, {
      id,
      username: email,
      email,
      name,
      created_at: since,
      updated_at: since,
    });
  }

  /** Rejects the creation of accounts, which is possible only on the web pages. */
  @OpenWallabagRoute(RequestMethod.PUT, 'user')
  register(): void {
    throw new RegistrationClosedError(false);
  }

  /** Returns the default settings of wallabag's web pages, because Satchel has no such settings. */
  @WallabagRoute(RequestMethod.GET, 'config', Permission.Retrieve)
  config(@CurrentWallabagUser() { id }: WallabagUser, @Res() response: Response): void {
    sendWallabag(response, {
      id,
      items_per_page: 30,
      language: 'en',
      feed_limit: 50,
      reading_speed: 200,
      action_mark_as_read: 1,
      list_mode: 0,
      display_thumbnails: true,
    });
  }
}
