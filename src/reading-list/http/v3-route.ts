import { All, applyDecorators, HttpCode } from '@nestjs/common';

import { V3_ENDPOINTS, type V3Endpoint } from './v3-endpoints.js';

/** Makes a handler answer at every path of a v3 endpoint, by POST and by GET; the status is 200, never 201. */
export const V3Route = (endpoint: V3Endpoint): MethodDecorator =>
  applyDecorators(All([...V3_ENDPOINTS[endpoint].paths]), HttpCode(200));
