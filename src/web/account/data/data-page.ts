import { Injectable } from '@nestjs/common';

import { ImportService } from '../../../transfer/import/import.service.js';
import type { FormError } from '../../forms.js';
import { type ShownPage, Template } from '../../template.js';
import { type ImportCard, importCardOf } from '../imports/import.view.js';

interface DataModel {
  /** The latest imports of the user, newest first. */
  readonly imports: readonly ImportCard[];
  /** The errors of the form that uploads a file. */
  readonly errors: readonly FormError[];
}

const template = new Template<DataModel>('account/data/data', { kind: 'reader' });

/** Shows the page for imports and exports. */
@Injectable()
export class DataPage {
  constructor(private readonly imports: ImportService) {}

  async show(userId: string, errors: readonly FormError[] = []): Promise<ShownPage> {
    const imports = await this.imports.latest(userId);
    const model = { imports: imports.map(importCardOf), errors };
    return template.page(model, { status: errors.length > 0 ? 400 : 200 });
  }
}
