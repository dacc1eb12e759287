import { PageRepository } from '../../src/articles/resolver/page.repository.js';
import { PageCompletion } from '../../src/articles/resolver/page-completion.service.js';
import { PageDelivery } from '../../src/articles/resolver/page-delivery.service.js';
import { HostPauseRepository } from '../../src/articles/resolver/page-hosts.js';
import { PageQueue } from '../../src/articles/resolver/page-queue.service.js';
import type { PageReader } from '../../src/articles/resolver/page-reader.js';
import { PageRequestRepository } from '../../src/articles/resolver/page-request.repository.js';
import { ResolutionAdministrationService } from '../../src/articles/resolver/resolution-administration.service.js';
import { SentPageRepository } from '../../src/articles/resolver/sent-page.repository.js';
import { SentPages } from '../../src/articles/resolver/sent-pages.service.js';
import { configFrom } from '../../src/platform/config/config.js';
import type { Database } from '../../src/platform/database/database.js';

/** Creates the resolver's services on a database, without the application. */
export function resolverParts(database: Database) {
  const pages = PageRepository.in(database.manager);
  const requests = PageRequestRepository.in(database.manager);
  const pauses = HostPauseRepository.in(database.manager);
  const sent = SentPageRepository.in(database.manager);
  return {
    pages,
    pauses,
    queue: new PageQueue(database, pages, requests),
    completion: new PageCompletion(database, requests, pauses, configFrom({})),
    delivery: new PageDelivery(database, requests),
    administration: new ResolutionAdministrationService(database, pages, requests, pauses),
    sentPages: (reader: PageReader) => new SentPages(database, reader, sent),
  };
}
