import { setImmediate as turn } from 'node:timers/promises';

import { ServiceBusyError } from '../../platform/common/common.errors.js';
import { BackgroundPages } from './background-pages.js';
import type { PageCall, PageOutcome } from './messages.js';

type Asked = Omit<PageCall, 'kind' | 'from'>;

const PAGE = { userId: '1', itemId: '2', url: 'https://example.com/', sent: undefined };
const PATIENCE_MS = 60_000;

const SENT = { html: '<p>Words.', version: 'a version', stored: Buffer.alloc(1) };

let asked: Asked[];
let discarded: string[];
let isStored: boolean;
let pages: BackgroundPages;

beforeEach(() => {
  asked = [];
  discarded = [];
  isStored = true;
  pages = new BackgroundPages(
    (call) => asked.push(call),
    ({ version }) => {
      discarded.push(version);
      return Promise.resolve(isStored);
    },
  );
});

const answer = ({ call }: Asked, outcome: PageOutcome): void => {
  pages.answered({ kind: 'page-answer', from: 1, call, outcome });
};

describe('the pages that clients of a web worker wait for', () => {
  it('are read elsewhere, and each answer goes to its call', async () => {
    const first = pages.resolve(PAGE, PATIENCE_MS);
    const second = pages.resolve({ ...PAGE, itemId: '3' }, PATIENCE_MS);

    expect(asked.map(({ page }) => page.itemId)).toEqual(['2', '3']);
    answer(asked[1]!, 'notWritten');
    answer(asked[0]!, 'written');

    expect(await Promise.all([first, second])).toEqual([true, false]);
  });

  it('are not waited for when the time is up, whatever is answered later', async () => {
    const resolved = await pages.resolve(PAGE, 1);

    answer(asked[0]!, 'written');
    expect(resolved).toBe(false);
  });

  it('stay stored when their client has its answer before they are refused', async () => {
    const resolved = await pages.resolve({ ...PAGE, sent: SENT }, 1);

    answer(asked[0]!, 'busy');
    await turn();
    expect(resolved).toBe(false);
    expect(discarded).toEqual([]);
  });

  it('are not asked for without any time, unless a client has sent them', async () => {
    expect(await pages.resolve(PAGE, 0)).toBe(false);
    expect(await pages.resolve({ ...PAGE, sent: SENT }, 0)).toBe(false);

    expect(asked).toEqual([expect.objectContaining({ sentVersion: 'a version', budgetMs: 0 })]);
    expect(JSON.stringify(asked)).not.toContain('Words');
  });

  it('are refused where too many wait already, and what was sent is gone', async () => {
    const resolving = pages.resolve({ ...PAGE, sent: SENT }, PATIENCE_MS);

    answer(asked[0]!, 'busy');

    await expect(resolving).rejects.toThrow(ServiceBusyError);
    expect(discarded).toEqual(['a version']);
  });

  it('are not refused where they were parsed meanwhile', async () => {
    isStored = false;
    const resolving = pages.resolve({ ...PAGE, sent: SENT }, PATIENCE_MS);

    answer(asked[0]!, 'busy');

    expect(await resolving).toBe(false);
  });
});
