import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';

import { Draining } from './common/http/draining.js';
import { jsonBody } from './common/http/json-body.js';
import { allowedMethods, securityHeaders } from './common/http/security-headers.js';
import { NestLogger } from './common/logging/nest-logger.js';
import { requestLog } from './common/logging/request-log.js';
import { Config } from './config/config.js';

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
  app.use(allowedMethods);
  app.use(ACCOUNT_PATHS, jsonBody(ACCOUNT_BODY_LIMIT));
}
