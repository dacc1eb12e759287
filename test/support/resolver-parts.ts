import { HostPause } from '../../src/articles/resolver/entities/host-pause.entity.js';
import { Page } from '../../src/articles/resolver/entities/page.entity.js';
import { PageRequest } from '../../src/articles/resolver/entities/page-request.entity.js';
import { SentPage } from '../../src/articles/resolver/entities/sent-page.entity.js';
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
import type { Database } from '../../src/platform/database/database.js';

/** Creates the resolver's services on a database, without the application. */
export function resolverParts(database: Database) {
  const pages = new PageRepository(Page, database.manager);
  const requests = new PageRequestRepository(PageRequest, database.manager);
  const pauses = new HostPauseRepository(HostPause, database.manager);
  const sent = new SentPageRepository(SentPage, database.manager);
  return {
    pages,
    pauses,
    queue: new PageQueue(database, pages, requests),
    completion: new PageCompletion(database, pages, requests, pauses),
    delivery: new PageDelivery(database, pages, requests),
    administration: new ResolutionAdministrationService(database, pages, requests, pauses),
    sentPages: (reader: PageReader) => new SentPages(database, reader, pages, sent),
  };
}
