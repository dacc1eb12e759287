import 'reflect-metadata';

import { DataSource } from 'typeorm';

import { unlimitedDataSourceOptions } from './src/platform/database/data-source.options.js';

const { DATABASE_URL, DATABASE_DIRECT_URL = DATABASE_URL } = process.env;
if (DATABASE_DIRECT_URL === undefined) {
  throw new Error('Set DATABASE_URL; for the embedded database use: npm run cli -- migrate');
}

/**
 * The data source of TypeORM's own command line, to create and show migrations with. `npm run cli -- migrate run`
 * runs them: TypeORM takes no lock against an instance that starts meanwhile.
 */
export default new DataSource(unlimitedDataSourceOptions({ url: DATABASE_DIRECT_URL }, 2));
