import { All, applyDecorators, HttpCode } from '@nestjs/common';

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * The paths of each v3 endpoint, including aliases (docs/decisions/0007), and the maximum size of its inflated request
 * body. The limit for `add` is enough for a page of 2 MB in any encoding, the limit for `send` is enough for thousands of
 * actions, and the limit for `snapshot` is enough for 10 MB of HTML as JSON.
 */
export const V3_ENDPOINTS = {
  get: { paths: ['/v3/get', '/v1/get'], bodyLimit: 64 * KIB },
  fetch: { paths: ['/v3/fetch'], bodyLimit: 64 * KIB },
  koboGet: { paths: ['/api/kobo/get'], bodyLimit: 64 * KIB },
  add: { paths: ['/v3/add', '/v3/add.php', '/v1/add'], bodyLimit: 6 * MIB },
  send: { paths: ['/v3/send', '/v3/modify', '/v1/send', '/api/kobo/send'], bodyLimit: 8 * MIB },
  stats: { paths: ['/v3/stats'], bodyLimit: 64 * KIB },
  snapshot: { paths: ['/v3/snapshot'], bodyLimit: 12 * MIB },
  suggestedTags: { paths: ['/v3/suggested_tags'], bodyLimit: 64 * KIB },
  export: { paths: ['/v3/export'], bodyLimit: 64 * KIB },
  guid: { paths: ['/v3/guid'], bodyLimit: 64 * KIB },
  sendGuid: { paths: ['/v3/send_guid'], bodyLimit: MIB },
  text: { paths: ['/v3/text'], bodyLimit: 64 * KIB },
  download: { paths: ['/v3beta/text', '/api/kobo/download'], bodyLimit: 64 * KIB },
} as const;

type V3Endpoint = keyof typeof V3_ENDPOINTS;

/**
 * Registers a handler for POST and GET at all paths of a v3 endpoint. Sets the status of a successful response to 200,
 * because Nest's default for POST is 201.
 */
export const V3Route = (endpoint: V3Endpoint): MethodDecorator =>
  applyDecorators(All([...V3_ENDPOINTS[endpoint].paths]), HttpCode(200));

/**
 * Returns true for the paths of the v3 API, including the aliases and the paths for Kobo devices. Responses at these
 * paths have special headers (docs/decisions/0007).
 */
export const isV3Path = (path: string): boolean => /^\/(?:v[13]|v3beta|api\/kobo)\//i.test(path);
