import type { InfoObject, SecuritySchemeObject, TagObject } from 'openapi3-ts/oas31';

import { ERROR_CATALOGUE } from '../../platform/common/error.catalogue.js';
import { ERROR_TEXTS } from './error-texts.js';

const ERRORS = Object.entries(ERROR_TEXTS).map(([code, { meaning }]) => ({ code, meaning }));
const CATALOGUE: Readonly<Record<string, { status: number; xErrorCode: number }>> = ERROR_CATALOGUE;

const ERROR_TABLE = [
  '| code | status | X-Error-Code | meaning and fix |',
  '| --- | --- | --- | --- |',
  ...ERRORS.map(
    ({ code, meaning }) =>
      `| \`${code}\` | ${CATALOGUE[code]?.status ?? ''} | ${CATALOGUE[code]?.xErrorCode ?? ''} | ${meaning} |`,
  ),
].join('\n');

const DESCRIPTION = `A self-hosted reading list with the v3 reading-list API of Pocket.

**Accounts.** A user registers with an email address and a password. If registration is not open, the user also needs an invitation. A login returns an access token, a refresh token and a session cookie.

**Reading list.** Client applications read and change the reading list. Each call has a consumer key and the access token of the user. The consumer key identifies the application and has the permissions of the application. The paths begin with \`/v3\`, and \`/v1\` is an alias.

**Dialects.** Each consumer key has one dialect. The dialect \`standard\` follows the specification. The dialect \`classic\` behaves as the Pocket apps expect. The dialects differ in the \`status\` of get and send, in \`count\` and in \`action_results\`. The descriptions of these fields explain the differences.

**Methods.** The service accepts GET and POST. Outside the reading-list API, the service also accepts HEAD, and answers HEAD like GET without a body. In the reading-list API, HEAD returns 405 \`method_not_allowed\`, because a GET can change the list. All other methods return 405 everywhere. An unknown path returns 404 \`not_found\`.

**Headers.** In addition to the documented headers, every answer has \`Content-Security-Policy\`, \`Cross-Origin-Opener-Policy\`, \`Cross-Origin-Resource-Policy\`, \`Origin-Agent-Cluster\`, \`Referrer-Policy\`, \`X-Content-Type-Options\`, \`X-DNS-Prefetch-Control\`, \`X-Download-Options\`, \`X-Frame-Options\`, \`X-Permitted-Cross-Domain-Policies\` and \`X-XSS-Protection\`. Under TLS, every answer also has \`Strict-Transport-Security\`.

**Web clients.** Scripts of other origins can call the reading-list API and the account endpoints. The administrator can restrict the allowed origins (\`CORS_ORIGINS\`). A preflight request returns 204. The answer to a request with an \`Origin\` header has \`Access-Control-Allow-Origin\` and \`Access-Control-Expose-Headers\`. The service ignores the cookies of such requests.

**Errors.** Each error has a stable code. The error messages can change. The account endpoints return \`{statusCode, error, message, code}\`. The reading-list endpoints return \`{status: 0, error, code}\` and the headers \`X-Error\` and \`X-Error-Code\`.

${ERROR_TABLE}
`;

export const INFO: InfoObject = {
  title: 'Satchel',
  version: '3',
  description: DESCRIPTION,
  license: { name: 'MIT', identifier: 'MIT' },
};

export const TAGS: TagObject[] = [
  { name: 'Account', description: 'Registration, login, tokens and logout.' },
  { name: 'OAuth', description: 'Access of applications to the reading list of a user.' },
  { name: 'Reading list', description: 'Retrieve, add and change items.' },
  { name: 'Service', description: 'Health checks and the API document.' },
];

export const SECURITY_SCHEMES: Readonly<Record<string, SecuritySchemeObject>> = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'session',
    description:
      'The encrypted session cookie of a login. Under TLS, the cookie is named `__Host-session`, or `__Secure-session` if the service is below a sub-path.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `access_token` of a login or refresh, in the header `Authorization`.',
  },
  consumerKey: {
    type: 'apiKey',
    in: 'query',
    name: 'consumer_key',
    description: 'The consumer key of the application, in the body or in the query.',
  },
  accessToken: {
    type: 'apiKey',
    in: 'query',
    name: 'access_token',
    description: 'The access token of the user, in the body or in the query.',
  },
};
