import { LinkCheckRepository } from '../../src/articles/link-checks/link-check.repository.js';
import { LinkChecker } from '../../src/articles/link-checks/link-checker.service.js';
import { LinkProber } from '../../src/articles/link-checks/link-prober.js';
import { HostPauseRepository, PageHosts } from '../../src/articles/resolver/page-hosts.js';
import { aFetcher } from './a-fetcher.js';
import { ListsOnPostgres } from './a-list.js';
import { aParsedPage } from './a-page.js';
import { timePasses } from './page-times.js';
import { PublicHost } from './public-host.js';
import { resolverParts } from './resolver-parts.js';

/** A response without a body. */
export const status = (code: number, ...headers: string[]): string =>
  [`HTTP/1.1 ${code} Status`, 'Content-Length: 0', 'Connection: close', ...headers, '', ''].join(
    '\r\n',
  );

/** The state of a page after checks. */
interface CheckedPage {
  readonly isMissing: boolean;
  readonly isGone: boolean;
}

export const FOUND: CheckedPage = { isMissing: false, isGone: false };
export const MISSING: CheckedPage = { isMissing: true, isGone: false };
export const GONE: CheckedPage = { isMissing: true, isGone: true };

/** Saved pages of a host, and the instances of the service that check them. */
export class LinkCheckWorld {
  private readonly signal = new AbortController().signal;
  checker: LinkChecker;

  private constructor(
    readonly lists: ListsOnPostgres,
    readonly host: PublicHost,
  ) {
    this.checker = this.anInstance();
  }

  static async start(): Promise<LinkCheckWorld> {
    return new LinkCheckWorld(await ListsOnPostgres.start(), await PublicHost.start());
  }

  async stop(): Promise<void> {
    await this.lists.stop();
    await this.host.stop();
  }

  /** Deletes all pages, and starts an instance that has not checked any page. */
  async clear(): Promise<void> {
    await this.lists.clear();
    this.checker = this.anInstance();
  }

  anInstance(): LinkChecker {
    const { database } = this.lists;
    const pauses = HostPauseRepository.in(database.manager);
    const prober = new LinkProber(aFetcher(this.host, { hosts: new PageHosts(pauses) }));
    const checks = LinkCheckRepository.in(database.manager);
    return new LinkChecker(database, checks, prober, pauses);
  }

  /** Saves pages and stores them, as if they had been fetched. */
  async save(...urls: string[]): Promise<void> {
    const user = await this.lists.aUser();
    await this.lists.results(
      user,
      urls.map((url) => ({ action: 'add', url })),
    );
    const { queue, completion, delivery } = resolverParts(this.lists.database);
    for (let claim = await queue.claim(); claim !== undefined; claim = await queue.claim()) {
      await completion.complete(claim, aParsedPage());
    }
    await delivery.deliverAll();
  }

  /** Makes the pages due whose addresses contain a text. The default is all pages. */
  async makeDue(text = ''): Promise<void> {
    await this.lists.tables.query(
      `UPDATE pages SET check_at = now() - interval '1 minute' WHERE url LIKE '%' || $1 || '%'`,
      [text],
    );
  }

  /** Checks the pages that are due, as one run of the loop. Returns their number. */
  checkDue(checker = this.checker): Promise<number> {
    return checker.checkNext(this.signal);
  }

  /** Checks all pages, regardless of when they are due. Returns the number of checked pages. */
  async checkAll(): Promise<number> {
    await this.makeDue();
    return this.checkDue();
  }

  /** Answers as a host without this page, until the page is gone. */
  async lose(): Promise<void> {
    this.host.answer(status(404));
    await this.checkAll();
    await this.pass('25 hours');
    await this.checkAll();
  }

  pass(interval: string): Promise<void> {
    return timePasses(this.lists.tables, interval);
  }

  /** Returns the states of all pages, sorted by URL. */
  pages(): Promise<CheckedPage[]> {
    return this.lists.tables.query(
      `SELECT missing_since IS NOT NULL AS "isMissing", gone_since IS NOT NULL AS "isGone" FROM pages ORDER BY url`,
    );
  }

  /** Returns the metric of the instance, keyed by result. */
  counts(): Record<string, number> {
    const samples = this.checker.results();
    return Object.fromEntries(samples.map(({ labels, value }) => [labels?.['result'], value]));
  }
}
