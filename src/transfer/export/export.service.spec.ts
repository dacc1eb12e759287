import { ServiceBusyError } from '../../common/common.errors.js';
import { ExportLimits } from './export.service.js';

function held(): { readonly done: Promise<void>; readonly end: () => void } {
  let end = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { done, end };
}

describe('the exports of one user', () => {
  it('are made one at a time: a second is refused while the first goes on', async () => {
    const limits = new ExportLimits();
    const first = held();
    const making = limits.onePerUser('7', () => first.done);

    await expect(limits.onePerUser('7', () => Promise.resolve())).rejects.toThrow(ServiceBusyError);
    await expect(limits.onePerUser('8', () => Promise.resolve('theirs'))).resolves.toBe('theirs');
    first.end();
    await making;
  });

  it('may follow at once upon one that is just being put away, also upon one that failed', async () => {
    const limits = new ExportLimits();
    const first = held();
    const failing = limits.onePerUser('7', () =>
      first.done.then(() => Promise.reject(new Error())),
    );
    const next = limits.onePerUser('7', () => Promise.resolve('made'));

    first.end();
    await expect(failing).rejects.toThrow();
    await expect(next).resolves.toBe('made');
  });

  it('that wait for the same one are not made at once', async () => {
    const limits = new ExportLimits();
    const [first, second] = [held(), held()];
    const making = limits.onePerUser('7', () => first.done);
    const waiting = [1, 2].map(() => limits.onePerUser('7', () => second.done));

    first.end();
    await making;
    await expect(Promise.any([waiting[1]])).rejects.toThrow();
    second.end();
    await expect(waiting[0]).resolves.toBeUndefined();
  });
});
