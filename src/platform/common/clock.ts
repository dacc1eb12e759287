import { Injectable } from '@nestjs/common';

/** The clock of the service, which tests can replace. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }

  /**
   * Returns the current time in whole seconds since 1970, the format of times in JWTs (RFC 7519 section 2,
   * NumericDate).
   */
  seconds(): number {
    return Math.floor(this.now().getTime() / 1000);
  }
}
