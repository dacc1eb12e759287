import type { Database } from '../../src/database/database.js';
import { HostPause } from '../../src/resolver/entities/host-pause.entity.js';
import { Page } from '../../src/resolver/entities/page.entity.js';
import { PageRequest } from '../../src/resolver/entities/page-request.entity.js';
import { SentPage } from '../../src/resolver/entities/sent-page.entity.js';
import { PageRepository } from '../../src/resolver/page.repository.js';
import { PageCompletion } from '../../src/resolver/page-completion.service.js';
import { PageDelivery } from '../../src/resolver/page-delivery.service.js';
import { HostPauseRepository } from '../../src/resolver/page-hosts.js';
import { PageQueue } from '../../src/resolver/page-queue.service.js';
import type { PageReader } from '../../src/resolver/page-reader.js';
import { PageRequestRepository } from '../../src/resolver/page-request.repository.js';
import { ResolutionAdministrationService } from '../../src/resolver/resolution-administration.service.js';
import { SentPageRepository } from '../../src/resolver/sent-page.repository.js';
import { SentPages } from '../../src/resolver/sent-pages.service.js';

/** The resolver's services over a database, without the application. */
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
