import { DataSource } from 'typeorm';

import { User } from '../../auth/entities/user.entity.js';
import { countMissing } from '../../auth/second-factor/second-factor-requirement.js';
import { UserRepository } from '../../auth/user.repository.js';
import type { Config } from '../../platform/config/config.js';
import type { Connection } from '../../platform/database/data-source.options.js';
import { directDataSourceOptions } from '../../platform/database/migrator.js';
import { type Finding, ok, warning } from './finding.js';

/** Checks that the users who need a second factor have set one up. */
export async function checkSecondFactors(direct: Connection, config: Config): Promise<Finding> {
  const options = { ...directDataSourceOptions(direct, 1), entities: [User] };
  const dataSource = await new DataSource(options).initialize();
  try {
    const missing = await countMissing(new UserRepository(User, dataSource.manager), config);
    return findingAbout(missing);
  } finally {
    await dataSource.destroy();
  }
}

function findingAbout(missing: number | undefined): Finding {
  if (missing === undefined) {
    return ok('second-factors', 'no user needs one: SECOND_FACTOR');
  }
  return missing === 0
    ? ok('second-factors', 'each user who needs one has one')
    : warning(
        'second-factors',
        `users who must set one up, and log in with only a password until then: ${missing}`,
      );
}
