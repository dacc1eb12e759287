import { Controller, RequestMethod } from '@nestjs/common';

import { RegistrationClosedError } from '../../../auth/auth.errors.js';
import { Permission } from '../../../auth/consumers/permission.js';
import { CurrentWallabagUser, type WallabagUser } from '../wallabag.guard.js';
import { OpenWallabagRoute, WallabagRoute } from '../wallabag-route.js';
import { formatWallabagDate } from '../wire/wallabag-answers.js';

/**
 * The version of wallabag that Satchel reports. Clients require a minimum version, and compare
 * versions as text. This text must therefore sort after the minimum versions of all clients.
 */
const VERSION = '2.6.14';

/** Information about the server. A client written in Flutter accepts only the `appname` "wallabag". */
const INFO = { appname: 'wallabag', version: VERSION, allowed_registration: false };

/** The default settings of wallabag's web pages. */
const SETTINGS = {
  items_per_page: 30,
  language: 'en',
  feed_limit: 50,
  reading_speed: 200,
  action_mark_as_read: 1,
  list_mode: 0,
  display_thumbnails: true,
};

interface UserResponse {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly name: string;
  readonly created_at: string;
  readonly updated_at: string;
}

type SettingsResponse = typeof SETTINGS & { readonly id: number };

/** Returns information about the server and the user (docs/api/wallabag.md). */
@Controller('wallabag/api')
export class AboutController {
  @OpenWallabagRoute(RequestMethod.GET, 'version')
  version(): string {
    return VERSION;
  }

  @OpenWallabagRoute(RequestMethod.GET, 'info')
  info(): typeof INFO {
    return INFO;
  }

  @WallabagRoute(RequestMethod.GET, 'user', Permission.Retrieve)
  user(@CurrentWallabagUser() { id, name, email, createdAt }: WallabagUser): UserResponse {
    const since = formatWallabagDate(createdAt);
    return { id, username: email, email, name, created_at: since, updated_at: since };
  }

  /** Rejects the creation of accounts through the API. People create accounts on the web pages. */
  @OpenWallabagRoute(RequestMethod.PUT, 'user')
  register(): void {
    throw new RegistrationClosedError(false);
  }

  /** Returns the default values of wallabag's web UI settings. Satchel has no such settings. */
  @WallabagRoute(RequestMethod.GET, 'config', Permission.Retrieve)
  config(@CurrentWallabagUser() { id }: WallabagUser): SettingsResponse {
    return { id, ...SETTINGS };
  }
}
