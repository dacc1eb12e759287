import type { SentVersion } from '../../articles/resolver/sent-page.repository.js';
import { ServiceBusyError } from '../../platform/common/common.errors.js';
import { PageResolver, type PageToResolve } from '../../reading-list/page-resolver.js';
import type { PageAnswer, PageCall, PageOutcome } from './messages.js';

/** Has the background worker read the pages that clients of this process wait for: none is fetched or parsed here. */
export class BackgroundPages extends PageResolver {
  private readonly waiting = new Map<number, (outcome: PageOutcome) => void>();
  private calls = 0;

  constructor(
    private readonly ask: (call: Omit<PageCall, 'kind' | 'from'>) => void,
    /** Deletes what a client has sent; false where it is parsed already. */
    private readonly discard: (page: SentVersion) => Promise<boolean>,
  ) {
    super();
  }

  /** Where no answer comes in time, the page is read in its turn. Throws ServiceBusyError. */
  override async resolve({ sent, ...page }: PageToResolve, budgetMs: number): Promise<boolean> {
    if (budgetMs <= 0 && sent === undefined) {
      return false;
    }
    this.calls += 1;
    const call = { call: this.calls, page, sentVersion: sent?.version, budgetMs };
    const outcome = await this.outcomeOf(call);
    // Not in the background worker, which cannot know whether its answer comes before the client has another one.
    if (outcome === 'busy' && sent && (await this.discard({ ...page, version: sent.version }))) {
      throw new ServiceBusyError();
    }
    return outcome === 'read';
  }

  /** Passes on what the background worker says; a client that has waited long enough has its answer. */
  answered({ call, outcome }: PageAnswer): void {
    this.waiting.get(call)?.(outcome);
  }

  private async outcomeOf(asked: Omit<PageCall, 'kind' | 'from'>): Promise<PageOutcome> {
    const { call, budgetMs } = asked;
    let timeUp: NodeJS.Timeout | undefined;
    try {
      return await new Promise<PageOutcome>((resolve) => {
        timeUp = setTimeout(resolve, budgetMs, 'unread');
        this.waiting.set(call, resolve);
        this.ask(asked);
      });
    } finally {
      clearTimeout(timeUp);
      this.waiting.delete(call);
    }
  }
}
