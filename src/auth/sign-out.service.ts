import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Database } from '../database/database.js';
import { RefreshTokenStore } from './refresh-token.store.js';
import { UserStore } from './user.store.js';

@Injectable()
export class SignOutService {
  constructor(private readonly database: Database) {}

  /** Ends every session, access token and refresh token of the user. */
  signOut(userId: string): Promise<void> {
    return this.database.write((manager) => signOutEverywhere(manager, userId));
  }
}

/** The same as a part of a larger transaction. */
export async function signOutEverywhere(manager: EntityManager, userId: string): Promise<void> {
  await new UserStore(manager).raiseEpoch(userId);
  await new RefreshTokenStore(manager).deleteAll(userId);
}
