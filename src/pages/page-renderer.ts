import { fileURLToPath } from 'node:url';

import { Injectable } from '@nestjs/common';
import { Eta } from 'eta';

import type { ViewName, Views } from './views.js';

/** Where the templates, the style sheet and the icon lie. */
export const VIEWS_FOLDER = fileURLToPath(new URL('./views/', import.meta.url));

/** Makes HTML of what a page shows; whatever a template puts out is escaped (docs/decisions/0020). */
@Injectable()
export class PageRenderer {
  private readonly eta = new Eta({ views: VIEWS_FOLDER, autoEscape: true, cache: true });

  render<V extends ViewName>(view: V, model: Views[V]): string {
    return this.eta.render(`./${view}`, model);
  }
}
