import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';

import { ENTITIES } from '../../src/app/schema.js';
import * as service from '../../src/platform/database/data-source.options.js';

/** Returns the data source options of the service, with all entities. */
export const dataSourceOptions = (
  ...facts: Parameters<typeof service.dataSourceOptions>
): PostgresDataSourceOptions => ({ ...service.dataSourceOptions(...facts), entities: ENTITIES });
