import { All, applyDecorators, HttpCode } from '@nestjs/common';

/** Where applications ask for access and exchange their codes; old programs end the paths in `.php`. */
export const OAUTH_PATHS = {
  request: ['/v3/oauth/request', '/v3/oauth/request.php'],
  authorize: ['/v3/oauth/authorize', '/v3/oauth/authorize.php'],
  requestMeta: ['/v3/oauth/request_meta'],
} as const;

export const OAUTH_BODY_LIMIT = 16 * 1024;

/** Makes a handler answer at every path of an endpoint, by POST and, as the original did, by GET; the status is 200, never 201. */
export const OAuthRoute = (endpoint: keyof typeof OAUTH_PATHS): MethodDecorator =>
  applyDecorators(All([...OAUTH_PATHS[endpoint]]), HttpCode(200));
