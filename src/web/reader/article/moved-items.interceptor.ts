import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  NotFoundException,
} from '@nestjs/common';
import type { Request } from 'express';
import { catchError, type Observable } from 'rxjs';

import { User } from '../../../auth/entities/user.entity.js';
import { isId, textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { innerUrlOf } from '../../../platform/http/sub-path.js';
import { TombstoneRepository } from '../../../reading-list/list/tombstone.repository.js';
import { ItemNotFoundError } from '../../../reading-list/reading-list.errors.js';

/** The status of a redirect with which the browser sends the same form again (RFC 9110 section 15.4.8). */
const SAME_METHOD = 307;

/**
 * Redirects requests with the id of a moved item to the same path with its new id. Such requests come from bookmarks,
 * other tabs, and changes that the service worker has queued (docs/decisions/0113).
 */
@Injectable()
export class MovedItems implements NestInterceptor {
  constructor(private readonly tombstones: TombstoneRepository) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    return next.handle().pipe(catchError((error: unknown) => this.followed(request, error)));
  }

  /** Throws the error if no item was moved. */
  private async followed(request: Request, error: unknown): Promise<Answer> {
    const id = textOf(request.params, 'id');
    const isMissing = error instanceof ItemNotFoundError || error instanceof NotFoundException;
    const moves =
      isMissing && isId(id) && request.user instanceof User
        ? await this.tombstones.movesOf(request.user.id, [id])
        : undefined;
    const movedTo = moves?.get(id);
    if (movedTo === undefined) {
      throw error;
    }
    return redirect(innerUrlOf(request).replace(`/read/${id}`, `/read/${movedTo}`), SAME_METHOD);
  }
}
