import 'reflect-metadata';

import { DataSource } from 'typeorm';

import { dataSourceOptions } from './src/database/data-source.options.js';

const { DATABASE_URL } = process.env;
if (DATABASE_URL === undefined) {
  throw new Error('Set DATABASE_URL; for the embedded database use: npm run cli -- migrate');
}

/** The data source of TypeORM's own command line: `npm run typeorm -- migration:show`. */
export default new DataSource(dataSourceOptions({ url: DATABASE_URL }, 2));
