import { DefaultNamingStrategy, type NamingStrategyInterface, type Table } from 'typeorm';

import { snakeCase } from './entity-columns.js';

const tableName = (table: Table | string): string =>
  (typeof table === 'string' ? table : table.name).replace(/^.*\./, '');

/** Names columns in snake_case, and constraints as PostgreSQL does by default, such as `users_email_key`. */
export class SnakeNamingStrategy extends DefaultNamingStrategy implements NamingStrategyInterface {
  override columnName(property: string, custom: string | undefined): string {
    return custom ?? snakeCase(property);
  }

  override joinColumnName(relation: string, referenced: string): string {
    return snakeCase(`${relation}_${referenced}`);
  }

  override primaryKeyName(table: Table | string): string {
    return `${tableName(table)}_pkey`;
  }

  override uniqueConstraintName(table: Table | string, columns: string[]): string {
    return `${tableName(table)}_${columns.join('_')}_key`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    return `${tableName(table)}_${columns.join('_')}_fkey`;
  }

  override indexName(table: Table | string, columns: string[]): string {
    return `${tableName(table)}_${columns.join('_')}_idx`;
  }

  override checkConstraintName(table: Table | string, expression: string): string {
    return `${tableName(table)}_${expression.replaceAll(/\W+/g, '_').slice(0, 40)}_check`;
  }
}
