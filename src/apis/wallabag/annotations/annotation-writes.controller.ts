import { Body, Controller, NotFoundException, Param, RequestMethod } from '@nestjs/common';

import { Permission } from '../../../auth/consumers/permission.js';
import { EntryAnswers } from '../entries/entry-answers.service.js';
import { CurrentWallabagUser, type WallabagUser } from '../wallabag.guard.js';
import { WallabagRoute } from '../wallabag-route.js';
import { numberIn } from '../wire/wallabag-paths.js';
import { type AnnotationResponse, presentAnnotation } from './annotation.presenter.js';
import { AnnotationRequest, NoteRequest } from './annotation.requests.js';
import { AnnotationWriter } from './annotation-writer.service.js';

/**
 * Creates, changes and deletes annotations. The numeric id in the path belongs to an entry for POST, and to an
 * annotation for PUT and DELETE.
 */
@Controller('wallabag/api/annotations')
export class AnnotationWritesController {
  constructor(
    private readonly writer: AnnotationWriter,
    private readonly answers: EntryAnswers,
  ) {}

  @WallabagRoute(RequestMethod.POST, ':entry', Permission.Modify)
  async create(
    @CurrentWallabagUser() user: WallabagUser,
    @Param('entry') entry: string,
    @Body() annotation: AnnotationRequest,
  ): Promise<AnnotationResponse> {
    const itemId = await this.answers.itemId(user, entry);
    const written = await this.writer.create(String(user.id), itemId, annotation);
    return presentAnnotation(written, user.name);
  }

  @WallabagRoute(RequestMethod.PUT, ':annotation', Permission.Modify)
  async rewrite(
    @CurrentWallabagUser() user: WallabagUser,
    @Param('annotation') annotation: string,
    @Body() { text = '' }: NoteRequest,
  ): Promise<AnnotationResponse> {
    const written = await this.writer.rewrite(String(user.id), numbered(annotation), text);
    return presentAnnotation(written, user.name);
  }

  @WallabagRoute(RequestMethod.DELETE, ':annotation', Permission.Modify)
  async delete(
    @CurrentWallabagUser() user: WallabagUser,
    @Param('annotation') annotation: string,
  ): Promise<AnnotationResponse> {
    const deleted = await this.writer.delete(String(user.id), numbered(annotation));
    return presentAnnotation(deleted, user.name);
  }
}

/**
 * Parses the numeric id of an annotation in a path.
 *
 * @throws NotFoundException if the id is invalid
 */
function numbered(annotation: string): number {
  const number = numberIn(annotation);
  if (number === undefined) {
    throw new NotFoundException();
  }
  return number;
}
