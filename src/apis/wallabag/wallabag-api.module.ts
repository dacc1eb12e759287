import { Module } from '@nestjs/common';

import { ArticlesModule } from '../../articles/articles.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { ConsumersModule } from '../../auth/consumers/consumers.module.js';
import { provideRepository } from '../../platform/database/custom-repository.js';
import { ReadingListModule } from '../../reading-list/reading-list.module.js';
import { AboutController } from './about/about.controller.js';
import { AnnotationWriter } from './annotations/annotation-writer.service.js';
import { AnnotationWritesController } from './annotations/annotation-writes.controller.js';
import { EntriesController } from './entries/entries.controller.js';
import { EntryRepository } from './entries/entry.repository.js';
import { EntryActions } from './entries/entry-actions.service.js';
import { EntryAnswers } from './entries/entry-answers.service.js';
import { EntryBatchesController } from './entries/entry-batches.controller.js';
import { EntryBatches } from './entries/entry-batches.service.js';
import { EntryLists } from './entries/entry-lists.service.js';
import { EntryPages } from './entries/entry-pages.service.js';
import { EntryReader } from './entries/entry-reader.service.js';
import { EntryWriter } from './entries/entry-writer.service.js';
import { EntryWritesController } from './entries/entry-writes.controller.js';
import { ExportController } from './entries/export.controller.js';
import { ExistsController } from './hashes/exists.controller.js';
import { KnownUrls } from './hashes/known-urls.service.js';
import { UrlHashRepository } from './hashes/url-hash.repository.js';
import { UrlHashes } from './hashes/url-hashes.service.js';
import { TagWriter } from './tags/tag-writer.service.js';
import { TagWritesController } from './tags/tag-writes.controller.js';
import { TagsController } from './tags/tags.controller.js';
import { PasswordLogins } from './tokens/password-logins.js';
import { TokenController } from './tokens/token.controller.js';
import { WallabagTokenRepository } from './tokens/wallabag-token.repository.js';
import { WallabagTokens } from './tokens/wallabag-tokens.service.js';

/** Serves the API for apps made for wallabag (docs/api/wallabag.md). */
@Module({
  imports: [AuthModule, ConsumersModule, ReadingListModule, ArticlesModule],
  controllers: [
    TokenController,
    AboutController,
    ExistsController,
    EntriesController,
    EntryBatchesController,
    EntryWritesController,
    TagWritesController,
    AnnotationWritesController,
    TagsController,
    ExportController,
  ],
  providers: [
    PasswordLogins,
    WallabagTokens,
    EntryLists,
    EntryPages,
    KnownUrls,
    UrlHashes,
    provideRepository(UrlHashRepository),
    EntryReader,
    EntryActions,
    EntryAnswers,
    EntryBatches,
    EntryWriter,
    TagWriter,
    AnnotationWriter,
    provideRepository(EntryRepository),
    provideRepository(WallabagTokenRepository),
  ],
})
export class WallabagApiModule {}
