import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';
import { type GrantedApplication, GrantStore } from './grant.store.js';

/** The applications that a person has given access, and how to take it back; that counts from the next call on. */
@Injectable()
export class GrantedApplicationsService {
  constructor(private readonly database: Database) {}

  list(userId: string): Promise<GrantedApplication[]> {
    return this.database.read((manager) => new GrantStore(manager).applicationsOf(userId));
  }

  /** Ends every access token of the application for this person. */
  revoke(userId: string, consumerKeyId: string): Promise<void> {
    return this.database.write((manager) => new GrantStore(manager).revoke(userId, consumerKeyId));
  }

  revokeAll(userId: string): Promise<void> {
    return this.database.write((manager) => new GrantStore(manager).revokeAll(userId));
  }
}
