import { RequestMethod } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';

import { V3Route } from './v3-routes.js';

class Probe {
  @V3Route('send')
  send(): void {
    return;
  }
}

describe('V3Route', () => {
  it.each([
    [PATH_METADATA, ['/v3/send', '/v3/modify', '/v1/send', '/api/kobo/send']],
    [METHOD_METADATA, RequestMethod.ALL],
    [HTTP_CODE_METADATA, 200],
  ])('declares the %s of a handler', (key, value) => {
    expect(Reflect.getMetadata(key, Probe.prototype.send)).toEqual(value);
  });
});
