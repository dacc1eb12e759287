import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';

import { Draining } from './common/http/draining.js';
import { jsonBody } from './common/http/json-body.js';
import { allowedMethods, securityHeaders } from './common/http/security-headers.js';
import { NestLogger } from './common/logging/nest-logger.js';
import { requestLog } from './common/logging/request-log.js';
import { Config } from './config/config.js';
import { OAUTH_BODY_LIMIT, OAUTH_PATHS } from './oauth/http/oauth-endpoints.js';
import { FORM_PATHS, formBody } from './pages/http/form-body.js';
import { v3Body } from './reading-list/http/v3-body.js';
import { V3_ENDPOINTS } from './reading-list/http/v3-endpoints.js';
import { limitHeaders } from './throttling/limit-headers.js';

const ACCOUNT_PATHS = ['/register', '/login', '/refresh', '/logout'];
const ACCOUNT_BODY_LIMIT = '4kb';

/** What the service and the tests share: everything between the socket and the controllers. */
export function setUp(app: NestExpressApplication, logger: Logger): void {
  const config = app.get(Config);
  app.useLogger(new NestLogger(logger));
  app.set('query parser', 'simple');
  app.set('trust proxy', config.trustProxy);
  app.use(requestLog(logger));
  app.use(securityHeaders(config));
  app.use(app.get(Draining).closeKeptConnections);
  app.use(limitHeaders(config));
  app.use(allowedMethods);
  app.use(ACCOUNT_PATHS, jsonBody(ACCOUNT_BODY_LIMIT));
  for (const { paths, bodyLimit } of Object.values(V3_ENDPOINTS)) {
    app.use([...paths], v3Body(bodyLimit));
  }
  app.use(Object.values(OAUTH_PATHS), v3Body(OAUTH_BODY_LIMIT));
  app.use(FORM_PATHS, formBody());
}
