import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';

import { ENTITIES } from '../../src/app/schema.js';
import * as service from '../../src/platform/database/data-source.options.js';

/** How the service opens its database, with all entities. */
export const dataSourceOptions = (
  ...facts: Parameters<typeof service.dataSourceOptions>
): PostgresDataSourceOptions => ({ ...service.dataSourceOptions(...facts), entities: ENTITIES });
