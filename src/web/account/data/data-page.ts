import { Injectable } from '@nestjs/common';

import { Snapshots } from '../../../reading-list/snapshots/snapshots.service.js';
import { ImportService } from '../../../transfer/import/import.service.js';
import type { FormError } from '../../forms.js';
import { type ShownPage, Template } from '../../template.js';
import { type ImportCard, importCardOf } from '../imports/import.view.js';

interface DataModel {
  /** The latest imports of the user, newest first. */
  readonly imports: readonly ImportCard[];
  /** The number of snapshots. Only the export format `zip` contains them. */
  readonly snapshots: number;
  /** The errors of the form that uploads a file. */
  readonly errors: readonly FormError[];
}

const template = new Template<DataModel>('account/data/data', { kind: 'reader' });

/** Shows the page for imports and exports. */
@Injectable()
export class DataPage {
  constructor(
    private readonly imports: ImportService,
    private readonly snapshots: Snapshots,
  ) {}

  async show(userId: string, errors: readonly FormError[] = []): Promise<ShownPage> {
    const imports = await this.imports.latest(userId);
    const snapshots = await this.snapshots.count(userId);
    const model = { imports: imports.map(importCardOf), snapshots, errors };
    return template.page(model, { status: errors.length > 0 ? 400 : 200 });
  }
}
