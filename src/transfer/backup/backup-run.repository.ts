import { randomUUID } from 'node:crypto';

import { IsNull, LessThan, MoreThan, Not, Raw } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { BackupRun } from '../entities/backup-run.entity.js';

/** The time after which a run continues elsewhere, if its instance has crashed. */
const LEASE = `now() + interval '2 minutes'`;
/** The pause after a failure, because a cause such as a full disk rarely goes away at once. */
const RETRY = `now() + interval '1 hour'`;
/** A backup that ends its process, for example because the memory is full, is not tried again and again. */
const MOST_CRASHES = 3;

const isPast = Raw((column) => `${column} < now()`);
const isAhead = Raw((column) => `${column} > now()`);
const isOld = Raw((column) => `${column} < now() - interval '180 days'`);
const isRecent = Raw((column) => `${column} > now() - interval '20 hours'`);

/** The latest scheduled backups, for operators. */
export interface BackupState {
  readonly success: BackupRun | undefined;
  /** The latest run, if it has failed or its instance has crashed, and no attempt has succeeded since. */
  readonly failure: BackupRun | undefined;
}

/** A run that this instance has leased. */
export interface ClaimedRun {
  readonly dueAt: Date;
  readonly lease: string;
}

/** Decides which instance writes a scheduled backup, and records the results. */
export class BackupRunRepository extends CustomRepository<BackupRun> {
  static readonly entity = BackupRun;

  /**
   * Leases the backup for a time of the schedule. Returns undefined if it has succeeded, if an instance writes this or
   * another backup, or if it has failed within the last hour.
   */
  async claim(dueAt: Date): Promise<ClaimedRun | undefined> {
    if (await this.existsBy({ dueAt: Not(dueAt), endedAt: IsNull(), leasedUntil: isAhead })) {
      return undefined;
    }
    const run = { dueAt, leasedUntil: () => `'-infinity'` };
    await this.createQueryBuilder().insert().values(run).orIgnore().execute();
    const lease = randomUUID();
    const open = { dueAt, file: IsNull(), leasedUntil: isPast };
    const { affected } = await this.createQueryBuilder()
      .update()
      .set({
        lease,
        attempts: () => 'attempts + 1',
        startedAt: () => 'now()',
        leasedUntil: () => LEASE,
        endedAt: null,
      })
      .where([
        { ...open, endedAt: IsNull(), attempts: LessThan(MOST_CRASHES) },
        { ...open, endedAt: Not(IsNull()) },
      ])
      .execute();
    return affected === 1 ? { dueAt, lease } : undefined;
  }

  /** Keeps the lease while the backup is being written. */
  async renew(run: ClaimedRun): Promise<void> {
    await this.update(run, { leasedUntil: () => LEASE });
  }

  async succeed(run: ClaimedRun, { file, bytes }: { file: string; bytes: number }): Promise<void> {
    const result = { file, bytes: String(bytes), failure: null, endedAt: () => 'now()' };
    await this.update(run, result);
    await this.delete({ startedAt: isOld, dueAt: Not(run.dueAt) });
  }

  /** Records a failure. Returns true if administrators should be told, which happens once a day. */
  async fail(run: ClaimedRun, failure: string): Promise<boolean> {
    const end = { failure, endedAt: () => 'now()', leasedUntil: () => RETRY };
    await this.update(run, end);
    if (await this.existsBy({ toldAt: isRecent })) {
      return false;
    }
    await this.update(run, { toldAt: () => 'now()' });
    return true;
  }

  /** Returns true while an instance writes a backup. */
  isRunning(): Promise<boolean> {
    return this.existsBy({ endedAt: IsNull(), leasedUntil: isAhead });
  }

  async state(): Promise<BackupState> {
    // A clock that was ahead for a while leaves a later `dueAt`, so the latest run is the one that began last.
    const order = { startedAt: 'DESC' } as const;
    const success = await this.findOne({ where: { file: Not(IsNull()) }, order });
    const since = success === null ? {} : { startedAt: MoreThan(success.startedAt) };
    const failure = await this.findOne({
      where: [
        { ...since, file: IsNull(), endedAt: Not(IsNull()) },
        { ...since, file: IsNull(), endedAt: IsNull(), leasedUntil: isPast },
      ],
      order,
    });
    return { success: success ?? undefined, failure: failure ?? undefined };
  }
}

/** Returns why a run has failed. */
export const reasonOfRun = ({ failure }: BackupRun): string =>
  failure ?? 'the process ended while it wrote the backup';
