import { ServiceBusyError } from '../common/common.errors.js';
import { FewAtOnce, OnePerUser } from './work-limits.js';

function held(): { readonly done: Promise<void>; readonly end: () => void } {
  let end = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { done, end };
}

describe('the works of one user', () => {
  it('go on one at a time: a second is refused while the first goes on', async () => {
    const limits = new OnePerUser();
    const first = held();
    const making = limits.run('7', () => first.done);

    await expect(limits.run('7', () => Promise.resolve())).rejects.toThrow(ServiceBusyError);
    await expect(limits.run('8', () => Promise.resolve('theirs'))).resolves.toBe('theirs');
    first.end();
    await making;
  });

  it('may follow at once upon one that is just being put away, also upon one that failed', async () => {
    const limits = new OnePerUser();
    const first = held();
    const failing = limits.run('7', () => first.done.then(() => Promise.reject(new Error())));
    const next = limits.run('7', () => Promise.resolve('made'));

    first.end();
    await expect(failing).rejects.toThrow();
    await expect(next).resolves.toBe('made');
  });

  it('that wait for the same one are not made at once', async () => {
    const limits = new OnePerUser();
    const [first, second] = [held(), held()];
    const making = limits.run('7', () => first.done);
    const waiting = [1, 2].map(() => limits.run('7', () => second.done));

    first.end();
    await making;
    await expect(Promise.any([waiting[1]])).rejects.toThrow();
    second.end();
    await expect(waiting[0]).resolves.toBeUndefined();
  });
});

describe('the works of all users', () => {
  it('are so many at a time, and further ones when one has ended, or failed', async () => {
    const few = new FewAtOnce(2);
    const [first, second] = [held(), held()];
    const going = [first, second].map(({ done }) => few.run(() => done));

    await expect(few.run(() => Promise.resolve())).rejects.toThrow(ServiceBusyError);
    first.end();
    await going[0];
    await expect(few.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(few.run(() => Promise.resolve('made'))).resolves.toBe('made');
    second.end();
    await going[1];
  });
});
