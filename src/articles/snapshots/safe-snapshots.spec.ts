import { ServiceBusyError } from '../../platform/common/common.errors.js';
import { SafeSnapshots } from './safe-snapshots.js';
import { SnapshotNotShownError } from './snapshot.errors.js';

const LONG = `<p onclick="x">Words</p>`.repeat(10_000);

let snapshots: SafeSnapshots;

beforeEach(() => {
  snapshots = new SafeSnapshots();
});
afterEach(() => snapshots.onApplicationShutdown());

/** A snapshot whose HTML is loaded only after `finish` is called. */
class SlowSnapshot {
  isLoading = false;
  finish: (html: string) => void = () => undefined;

  readonly load = (): Promise<string> => {
    this.isLoading = true;
    return new Promise((resolve) => {
      this.finish = resolve;
    });
  };
}

const load = (html: string) => (): Promise<string> => Promise.resolve(html);

it.each([
  ['too deep', '<b>'.repeat(600)],
  ['too deep and long', `${'<b>'.repeat(600)}${'Words '.repeat(30_000)}`],
])('does not show a snapshot that is %s', async (_, html) => {
  await expect(snapshots.show('1', load(html))).rejects.toThrow(SnapshotNotShownError);
});

it('shows the next snapshot after one that took too long', async () => {
  await snapshots.onApplicationShutdown();
  snapshots = new SafeSnapshots(1);

  const slow = snapshots.show('1', load(`${LONG}${LONG}${LONG}${LONG}`));

  await expect(slow).rejects.toThrow(SnapshotNotShownError);
  expect(await snapshots.show('1', load('<p>Words'))).toContain('<p>Words</p>');
});

it('does not let a user with many snapshots delay another user by more than one', async () => {
  const slow = Array.from({ length: 6 }, () => new SlowSnapshot());
  const ended: string[] = [];
  const shown = slow.map((one, at) =>
    snapshots.show('1', one.load).then(() => ended.push(`first user ${at}`)),
  );
  const other = snapshots.show('2', load('<p>')).then(() => ended.push('second user'));
  await Promise.resolve();

  for (const one of slow) {
    while (!one.isLoading) {
      await new Promise(setImmediate);
    }
    one.finish('<p>');
  }
  await Promise.all([...shown, other]);

  expect(ended.slice(0, 2)).toEqual(['first user 0', 'second user']);
});

it('rejects further snapshots of a user, and still shows those of others', async () => {
  const slow = new SlowSnapshot();
  const shown = Array.from({ length: 6 }, () => snapshots.show('1', slow.load));

  await expect(snapshots.show('1', slow.load)).rejects.toThrow(ServiceBusyError);

  const other = snapshots.show('2', load('<p>Words'));
  for (const one of [...shown.keys()]) {
    while (!slow.isLoading) {
      await new Promise(setImmediate);
    }
    slow.isLoading = false;
    slow.finish(`<p>${one}`);
  }
  await Promise.all(shown);
  expect(await other).toContain('<p>Words</p>');
});
