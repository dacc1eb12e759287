import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

import { apiDocument } from './api-document.js';
import { controllersIn } from './controllers-in.js';

/** The API document of this process as text: made when it is first asked for, and kept. */
@Injectable()
export class ApiDocument {
  private kept: string | undefined;

  constructor(private readonly modules: ModulesContainer) {}

  text(): string {
    this.kept ??= JSON.stringify(apiDocument(controllersIn(this.modules)));
    return this.kept;
  }
}
