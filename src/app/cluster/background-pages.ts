import type { SentVersion } from '../../articles/resolver/sent-page.repository.js';
import { ServiceBusyError } from '../../platform/common/common.errors.js';
import { PageResolver, type PageToResolve } from '../../reading-list/pages/page-resolver.js';
import type { PageAnswer, PageCall, PageOutcome } from './messages.js';

/**
 * Asks the background worker to fetch a page that a client waits for. Web workers use this class,
 * because they do not fetch or parse pages themselves.
 */
export class BackgroundPages extends PageResolver {
  private readonly waiting = new Map<number, (outcome: PageOutcome) => void>();
  private calls = 0;

  constructor(
    private readonly ask: (call: Omit<PageCall, 'kind' | 'from'>) => void,
    /** Deletes the page content that a client sent. Returns false if the content is already parsed. */
    private readonly discard: (page: SentVersion) => Promise<boolean>,
  ) {
    super();
  }

  /**
   * Asks the background worker for the page, and waits at most `budgetMs` milliseconds.
   *
   * @throws ServiceBusyError if too many pages that clients sent are queued.
   */
  override async resolve({ sent, ...page }: PageToResolve, budgetMs: number): Promise<boolean> {
    if (budgetMs <= 0 && sent === undefined) {
      return false;
    }
    this.calls += 1;
    const call = { call: this.calls, page, sentVersion: sent?.version, budgetMs };
    const outcome = await this.outcomeOf(call);
    // The background worker does not know whether the client still waits. Therefore, this process
    // deletes the page content that the client has sent.
    if (outcome === 'busy' && sent && (await this.discard({ ...page, version: sent.version }))) {
      throw new ServiceBusyError();
    }
    return outcome === 'written';
  }

  /** Handles an answer of the background worker. Ignores the answer if the client no longer waits for the page. */
  answered({ call, outcome }: PageAnswer): void {
    this.waiting.get(call)?.(outcome);
  }

  private async outcomeOf(asked: Omit<PageCall, 'kind' | 'from'>): Promise<PageOutcome> {
    const { call, budgetMs } = asked;
    let timeUp: NodeJS.Timeout | undefined;
    try {
      return await new Promise<PageOutcome>((resolve) => {
        timeUp = setTimeout(resolve, budgetMs, 'notWritten');
        this.waiting.set(call, resolve);
        this.ask(asked);
      });
    } finally {
      clearTimeout(timeUp);
      this.waiting.delete(call);
    }
  }
}
