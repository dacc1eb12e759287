import { ServiceBusyError } from '../../common/common.errors.js';
import { ExportTurns } from './export-turns.js';

function held(): { readonly done: Promise<void>; readonly end: () => void } {
  let end = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { done, end };
}

describe('the exports of one person', () => {
  it('are made one at a time: a second is refused while the first goes on', async () => {
    const turns = new ExportTurns();
    const first = held();
    const making = turns.ofPerson('7', () => first.done);

    await expect(turns.ofPerson('7', () => Promise.resolve())).rejects.toThrow(ServiceBusyError);
    await expect(turns.ofPerson('8', () => Promise.resolve('theirs'))).resolves.toBe('theirs');
    first.end();
    await making;
  });

  it('may follow at once upon one that is just being put away, also upon one that failed', async () => {
    const turns = new ExportTurns();
    const first = held();
    const failing = turns.ofPerson('7', () => first.done.then(() => Promise.reject(new Error())));
    const next = turns.ofPerson('7', () => Promise.resolve('made'));

    first.end();
    await expect(failing).rejects.toThrow();
    await expect(next).resolves.toBe('made');
  });

  it('that wait for the same one are not made at once', async () => {
    const turns = new ExportTurns();
    const [first, second] = [held(), held()];
    const making = turns.ofPerson('7', () => first.done);
    const waiting = [1, 2].map(() => turns.ofPerson('7', () => second.done));

    first.end();
    await making;
    await expect(Promise.any([waiting[1]])).rejects.toThrow();
    second.end();
    await expect(waiting[0]).resolves.toBeUndefined();
  });
});
