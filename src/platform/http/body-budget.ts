import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { ServiceBusyError } from '../common/common.errors.js';

/** Sixteen of the largest bodies: what more clients send at once would be memory that nothing bounds. */
export const BUDGET_BYTES = 128 * 1024 * 1024;

/** More than a call without a page or many actions sends: those go on while others use the budget up. */
export const SMALL_BYTES = 16 * 1024;

/** How many bytes of bodies the process holds that have not come whole, or are not inflated yet. */
@Injectable()
export class BodyBudget {
  private taken = 0;

  /** Counts what comes of a body; gives back what ends that. Calls `refuse` when a large one finds no more room. */
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
