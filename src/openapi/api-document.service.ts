import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

import { apiDocument } from './api-document.js';
import { controllersIn } from './controllers-in.js';

/** The API document of this process: made when it is first asked for; every answer sends the same bytes. */
@Injectable()
export class ApiDocument {
  private kept: Buffer | undefined;

  constructor(private readonly modules: ModulesContainer) {}

  bytes(): Buffer {
    this.kept ??= Buffer.from(JSON.stringify(apiDocument(controllersIn(this.modules))));
    return this.kept;
  }
}
