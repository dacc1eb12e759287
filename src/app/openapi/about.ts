import type { InfoObject, SecuritySchemeObject, TagObject } from 'openapi3-ts/oas31';

import { ERROR_CATALOGUE } from '../../platform/common/error.catalogue.js';
import { ERROR_TEXTS } from './error-texts.js';

const ERRORS = Object.entries(ERROR_TEXTS).map(([code, { meaning }]) => ({ code, meaning }));
const CATALOGUE: Readonly<Record<string, { status: number; xErrorCode: number }>> = ERROR_CATALOGUE;

const ERROR_TABLE = [
  '| code | status | X-Error-Code | meaning |',
  '| --- | --- | --- | --- |',
  ...ERRORS.map(
    ({ code, meaning }) =>
      `| \`${code}\` | ${CATALOGUE[code]?.status ?? ''} | ${CATALOGUE[code]?.xErrorCode ?? ''} | ${meaning} |`,
  ),
].join('\n');

const DESCRIPTION = `A self-hosted reading list that speaks the v3 reading-list API of Pocket.

**Accounts** are registered with an email address and a password, where the service lets strangers in or by an invitation; a login gives an access token, a refresh token and a session cookie.

**The reading list** is kept by client applications. Each call carries a consumer key, which says which application calls and what it may do, and the access token of the user. The paths begin with \`/v3\`; \`/v1\` is an alias.

**Dialects.** A consumer key has one: \`standard\` is described by the specification, \`classic\` is what the apps of the original rely on. They differ in the \`status\` of get and send, in \`count\` and in \`action_results\`, as described there.

**Methods.** GET and POST, and HEAD outside of the reading-list API, answered as GET without a body; a call of the reading-list API may change the list also by GET, so that HEAD is 405 \`method_not_allowed\` there, as every other method is. Another path is 404 \`not_found\`.

**Every answer** also has \`Content-Security-Policy\`, \`Cross-Origin-Opener-Policy\`, \`Cross-Origin-Resource-Policy\`, \`Origin-Agent-Cluster\`, \`Referrer-Policy\`, \`X-Content-Type-Options\`, \`X-DNS-Prefetch-Control\`, \`X-Download-Options\`, \`X-Frame-Options\`, \`X-Permitted-Cross-Domain-Policies\` and \`X-XSS-Protection\`, under TLS also \`Strict-Transport-Security\`.

**Web clients.** Scripts of other origins may call the reading-list API and the account endpoints, unless the administrator narrows that (\`CORS_ORIGINS\`): preflights are answered with 204, answers to requests with an \`Origin\` have \`Access-Control-Allow-Origin\` and \`Access-Control-Expose-Headers\`. Cookies do not count for them.

**Errors** have a stable code; sentences may change. The account endpoints answer with \`{statusCode, error, message, code}\`, the reading-list endpoints with \`{status: 0, error, code}\` and the headers \`X-Error\` and \`X-Error-Code\`.

${ERROR_TABLE}
`;

export const INFO: InfoObject = {
  title: 'Satchel',
  version: '3',
  description: DESCRIPTION,
  license: { name: 'MIT', identifier: 'MIT' },
};

export const TAGS: TagObject[] = [
  { name: 'Account', description: 'Who is the user?' },
  { name: 'OAuth', description: 'How an application gets leave to act for a user.' },
  { name: 'Reading list', description: 'Retrieve, add and change items.' },
  { name: 'Service', description: 'Its health and its description.' },
];

export const SECURITY_SCHEMES: Readonly<Record<string, SecuritySchemeObject>> = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'session',
    description:
      'The encrypted cookie of a login. Under TLS its name is `__Host-session`, or `__Secure-session` where the service lies under a path.',
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
    description: 'Identifies the application. In the body, or in the query.',
  },
  accessToken: {
    type: 'apiKey',
    in: 'query',
    name: 'access_token',
    description: 'Identifies the user. In the body, or in the query.',
  },
};
