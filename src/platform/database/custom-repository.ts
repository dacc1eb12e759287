import type { FactoryProvider } from '@nestjs/common';
import {
  DataSource,
  type EntityManager,
  type EntityTarget,
  type ObjectLiteral,
  Repository,
} from 'typeorm';

interface RepositoryClass<Entity extends ObjectLiteral, Class extends Repository<Entity>> {
  readonly entity: EntityTarget<Entity>;
  new (target: EntityTarget<Entity>, manager: EntityManager): Class;
}

/**
 * The base class of repositories with methods of their own. A subclass declares its entity in the static property
 * `entity`. For statements outside of transactions, a service gets a repository by dependency injection.
 */
export abstract class CustomRepository<Entity extends ObjectLiteral> extends Repository<Entity> {
  /**
   * Returns a repository for one transaction: `UserRepository.in(manager)`. Its methods run their statements with the
   * given entity manager.
   */
  static in<Entity extends ObjectLiteral, Class extends Repository<Entity>>(
    this: RepositoryClass<Entity, Class>,
    manager: EntityManager,
  ): Class {
    return new this(this.entity, manager);
  }
}

/** Provides a repository class. Its methods run their statements outside of transactions. */
export const provideRepository = <Entity extends ObjectLiteral, Class extends Repository<Entity>>(
  Class: RepositoryClass<Entity, Class>,
): FactoryProvider<Class> => ({
  provide: Class,
  inject: [DataSource],
  useFactory: (dataSource: DataSource) => new Class(Class.entity, dataSource.manager),
});
