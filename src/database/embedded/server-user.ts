import { readFile } from 'node:fs/promises';

/** Whom the server runs as; empty means the user of this process. */
export type ServerUser = Partial<Account>;

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

const NOBODY: Account = { uid: 65534, gid: 65534 };

/** The account that stands in for root, as whom PostgreSQL refuses to run. */
export async function unprivilegedUser(): Promise<Account> {
  const accounts = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  const account = ['postgres', 'nobody']
    .map((name) => accounts.find((line) => line.startsWith(`${name}:`)))
    .find((line) => line !== undefined);
  const [, , uid, gid] = account?.split(':') ?? [];
  return uid === undefined || gid === undefined ? NOBODY : { uid: Number(uid), gid: Number(gid) };
}
