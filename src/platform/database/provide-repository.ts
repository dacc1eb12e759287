import type { FactoryProvider } from '@nestjs/common';
import {
  DataSource,
  type EntityManager,
  type EntityTarget,
  type ObjectLiteral,
  type Repository,
} from 'typeorm';

type RepositoryClass<Entity extends ObjectLiteral, Class extends Repository<Entity>> = new (
  target: EntityTarget<Entity>,
  manager: EntityManager,
) => Class;

/**
 * Provides a repository class with additional methods. The class keeps TypeORM's constructor, because
 * `manager.withRepository` calls it to create a repository for a transaction.
 */
export const provideRepository = <Entity extends ObjectLiteral, Class extends Repository<Entity>>(
  Class: RepositoryClass<Entity, Class>,
  target: EntityTarget<Entity>,
): FactoryProvider<Class> => ({
  provide: Class,
  inject: [DataSource],
  useFactory: (dataSource: DataSource) => new Class(target, dataSource.manager),
});
