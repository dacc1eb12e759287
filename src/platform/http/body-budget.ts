import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { ServiceBusyError } from '../common/common.errors.js';

/** The maximum memory for request bodies, in bytes. It is enough for ten bodies of the maximum size. */
export const BUDGET_BYTES = 128 * 1024 * 1024;

/**
 * The size in bytes up to which a body is accepted even if the memory limit for request bodies is reached. Most bodies
 * are smaller. Larger bodies contain a web page or many actions.
 */
export const SMALL_BYTES = 16 * 1024;

/** Limits the memory for request bodies in this process that are still incomplete or compressed. */
@Injectable()
export class BodyBudget {
  private taken = 0;

  /**
   * Counts the bytes of a body as they arrive. Calls `refuse` if the body is larger than SMALL_BYTES and all bodies
   * together exceed the memory limit. Returns a function that stops the counting and subtracts the bytes of the body.
   */
  watch(request: Request, refuse: (error: ServiceBusyError) => void): () => void {
    let bytes = 0;
    const count = (chunk: Buffer): void => {
      bytes += chunk.length;
      this.taken += chunk.length;
      if (this.taken > BUDGET_BYTES && bytes > SMALL_BYTES) {
        refuse(new ServiceBusyError());
      }
    };
    request.on('data', count);
    return () => {
      request.off('data', count);
      this.taken -= bytes;
      bytes = 0;
    };
  }
}
