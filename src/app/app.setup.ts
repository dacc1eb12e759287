import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';

import { WALLABAG_PROTOCOL } from '../apis/wallabag/wire/wallabag-answers.js';
import { joinWallabagSlashes, wallabagRequests } from '../apis/wallabag/wire/wallabag-requests.js';
import { User } from '../auth/entities/user.entity.js';
import { OAUTH_BODY_LIMIT, OAUTH_PATHS } from '../auth/oauth/http/oauth.controller.js';
import { defined } from '../lib/util/defined.js';
import { NestLogger } from '../platform/common/logging.js';
import { requestLog } from '../platform/common/request-log.js';
import { Warnings } from '../platform/common/warnings.js';
import { Config } from '../platform/config/config.js';
import { atPath } from '../platform/http/at-path.js';
import { BodyBudget } from '../platform/http/body-budget.js';
import { bodyDeadline } from '../platform/http/body-deadline.js';
import { compressPages } from '../platform/http/compression.js';
import { crossOrigin } from '../platform/http/cross-origin.js';
import { Draining } from '../platform/http/draining.js';
import { jsonBody } from '../platform/http/json-body.js';
import { protocolOfCall, registerProtocol } from '../platform/http/protocols.js';
import { checkForwardedProtocol } from '../platform/http/proxy-headers.js';
import {
  allowedMethods,
  forwardedWithoutPorts,
  hostNamed,
  knownHost,
  securityHeaders,
} from '../platform/http/security-headers.js';
import { subPath } from '../platform/http/sub-path.js';
import { BackgroundWork } from '../platform/jobs/background-work.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { METRICS_PATH, metricsHandler } from '../platform/metrics/metrics-endpoint.js';
import { limitHeaders } from '../pocket-api/limit-headers.js';
import { POCKET_PROTOCOL } from '../pocket-api/pocket-protocol.js';
import { v3Body } from '../pocket-api/v3-body.js';
import { V3_ENDPOINTS } from '../pocket-api/v3-routes.js';
import { uploadBody } from '../transfer/import/upload-body.js';
import { formBodies } from '../web/forms.js';

const ACCOUNT_PATHS = ['/register', '/login', '/refresh', '/logout'];
const ACCOUNT_BODY_LIMIT = '4kb';
const SMALL_BODY = 64 * 1024;

/** The paths that only ask for the state of the service. */
const STATE_PATHS: ReadonlySet<string> = new Set(['/health', '/ready', METRICS_PATH]);

/**
 * The paths that need a token, a signature or nothing, and never a session: catalogues, feeds, pictures and assets. The
 * pages of errors need the assets.
 */
const PATHS_FOR_ANY_HOST = /^\/(?:opds|feeds|images|pages)(?:\/|$)/;

/** The paths at which the service accepts uploaded files. */
const UPLOAD_PATHS = ['/v3/import', '/account/import'];

/** Adds the HTTP middleware and settings to an application. The service and the tests call this function. */
export function setUp(app: NestExpressApplication, logger: Logger): void {
  [POCKET_PROTOCOL, WALLABAG_PROTOCOL].forEach(registerProtocol);
  const config = app.get(Config);
  const budget = app.get(BodyBudget);
  app.useLogger(new NestLogger(logger));
  app.set('query parser', 'simple');
  app.set('trust proxy', config.trustProxy);
  for (const handler of subPath(app.getHttpAdapter().getInstance(), config)) {
    app.use(handler);
  }
  app.use(endRest(app.get(BackgroundWork)), joinWallabagSlashes);
  app.use(forwardedWithoutPorts);
  app.use(requestLogOf(app, logger));
  app.use(checkForwardedProtocol(config, app.get(Warnings)));
  app.use(securityHeaders(config));
  app.use(app.get(Draining).closeKeptConnections, compressPages(config));
  for (const handler of crossOrigin(config, ACCOUNT_PATHS)) {
    app.use(handler);
  }
  app.use(limitHeaders(config));
  app.use(hostNamed, knownHost(config, app.get(Warnings), isForAnyHost));
  app.use(allowedMethods);
  app.use(bodyDeadline({ uploads: UPLOAD_PATHS, large: V3_ENDPOINTS.snapshot.paths }));
  app.use(ACCOUNT_PATHS, jsonBody(ACCOUNT_BODY_LIMIT));
  app.use(atPath(new Map([...metricsHandlers(app), ...v3Bodies(budget)])));
  app.use(wallabagRequests(budget));
  app.use(formBodies());
  app.use(UPLOAD_PATHS, uploadBody());
  app.use('/v3/import/:id', v3Body(SMALL_BODY, budget));
}

/** Returns true for paths at which a script of another website can do no more than any other program. */
const isForAnyHost = (path: string): boolean =>
  protocolOfCall(path) !== undefined ||
  STATE_PATHS.has(path.replace(/\/$/, '')) ||
  PATHS_FOR_ANY_HOST.test(path);

/** Background work continues with each request, except those that only ask whether the service works. */
const endRest =
  (work: BackgroundWork): RequestHandler =>
  ({ path }, _response, next) => {
    if (!STATE_PATHS.has(path)) {
      work.noteRequest();
    }
    next();
  };

function requestLogOf(app: NestExpressApplication, logger: Logger): RequestHandler {
  const { observe } = app.get(Metrics);
  return requestLog(logger, { isLogged: app.get(Config).logsRequests, callerOf, observe });
}

/** Returns the ids of the user and of the key that have sent a request, as far as they are known. */
const callerOf = ({ principal, user }: Request): object =>
  defined({
    user: principal?.userId ?? (user instanceof User ? user.id : undefined),
    key: principal?.consumerKeyId,
  });

/** The handler of the metrics. Without METRICS_TOKEN, the address does not exist. */
function metricsHandlers(app: NestExpressApplication): ReadonlyMap<string, RequestHandler> {
  const token = app.get(Config).metrics?.token;
  const metrics = app.get(Metrics);
  return token === undefined
    ? new Map()
    : new Map([[METRICS_PATH, metricsHandler(token, () => metrics.expose())]]);
}

function v3Bodies(budget: BodyBudget): ReadonlyMap<string, RequestHandler> {
  const oauthBody = v3Body(OAUTH_BODY_LIMIT, budget);
  return new Map([
    ...Object.values(V3_ENDPOINTS).flatMap(({ paths, bodyLimit }) => {
      const body = v3Body(bodyLimit, budget);
      return paths.map((path) => [path, body] as const);
    }),
    ...Object.values(OAUTH_PATHS)
      .flat()
      .map((path) => [path, oauthBody] as const),
  ]);
}
