import type { FindOptionsWhere, ObjectLiteral, Repository } from 'typeorm';

/** The maximum number of rows that one statement deletes and locks. */
const BATCH = 5000;

/**
 * Deletes all rows that match, in statements of at most `batch` rows, so that no statement holds many locks or writes a
 * long transaction. Several instances can run at the same time: each skips the rows that another one is deleting.
 * @param repository a repository outside of transactions, of a table that is not distributed
 * @returns the number of rows that this call has deleted
 */
export async function deleteInBatches<Row extends ObjectLiteral>(
  repository: Repository<Row>,
  where: FindOptionsWhere<Row> | FindOptionsWhere<Row>[],
  batch = BATCH,
): Promise<number> {
  const keys = repository.metadata.primaryColumns.map(({ propertyName }) => propertyName);
  const matching = repository
    .createQueryBuilder('old')
    .select(keys.map((key) => `old.${key}`))
    .where(where)
    .limit(batch)
    .setLock('pessimistic_write')
    .setOnLocked('skip_locked');
  const columns = repository.metadata.primaryColumns.map(({ databaseName }) => databaseName);
  let deleted = 0;
  for (let last = batch; last === batch; deleted += last) {
    const { affected } = await repository
      .createQueryBuilder()
      .delete()
      .where(`(${columns.join(', ')}) IN (${matching.getQuery()})`)
      .setParameters(matching.getParameters())
      .execute();
    last = affected ?? 0;
  }
  return deleted;
}
