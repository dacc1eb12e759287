import 'reflect-metadata';

import { DataSource } from 'typeorm';

import { unlimitedDataSourceOptions } from './src/platform/database/data-source.options.js';

const { DATABASE_URL, DATABASE_DIRECT_URL = DATABASE_URL } = process.env;
if (DATABASE_DIRECT_URL === undefined) {
  throw new Error('Set DATABASE_URL; for the embedded database use: npm run cli -- migrate');
}

/**
 * The data source for TypeORM's command line, which creates and shows migrations. To run migrations, use `npm run cli
 * -- migrate run`, which locks the database against an instance that starts at the same time.
 */
export default new DataSource(unlimitedDataSourceOptions({ url: DATABASE_DIRECT_URL }, 2));
