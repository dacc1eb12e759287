import { Injectable } from '@nestjs/common';

import type { User } from '../auth/entities/user.entity.js';
import { UserStore } from '../auth/user.store.js';
import { isOpaqueToken } from '../consumers/opaque-token.js';
import { Database } from '../database/database.js';
import { type Authorization, authorizationOf } from './authorization.js';
import { AuthorizationRequestStore } from './authorization-request.store.js';
import type { Decision } from './entities/authorization-request.entity.js';

/** What a person is asked by applications, and what they answer. */
@Injectable()
export class AuthorizationsService {
  constructor(private readonly database: Database) {}

  /** Undefined for a code that nobody was given, or whose request is forgotten. */
  async find(code: string): Promise<Authorization | undefined> {
    if (!isOpaqueToken(code)) {
      return undefined;
    }
    const found = await this.database.read((manager) =>
      new AuthorizationRequestStore(manager).find(code),
    );
    return found && authorizationOf(found);
  }

  /**
   * The first answer counts. Tells whether it is this one: somebody who gives the same answer twice has been heard,
   * also when the application has used the code in between.
   */
  decide(code: string, decision: Decision, user: User): Promise<boolean> {
    return this.database.write(async (manager) => {
      const requests = new AuthorizationRequestStore(manager);
      await new UserStore(manager).lock(user.id);
      await requests.decide(code, decision, user.id);
      const found = await requests.find(code);
      return found?.decision === decision && found.userId === user.id;
    });
  }

  /** Codes that a person has agreed to give nobody access any more, of one application or of all. */
  withdraw(userId: string, consumerKeyId?: string): Promise<void> {
    return this.database.write(async (manager) => {
      await new UserStore(manager).lock(userId);
      await new AuthorizationRequestStore(manager).withdraw(userId, consumerKeyId);
    });
  }
}
