import { Module } from '@nestjs/common';

import { AuthModule } from '../auth/auth.module.js';
import { provideRepository } from '../platform/database/custom-repository.js';
import { FetchingModule } from '../platform/fetching/fetching.module.js';
import { ReadingListModule } from '../reading-list/reading-list.module.js';
import { ArticlesController } from './articles.controller.js';
import { ArticlesService } from './articles.service.js';
import { EpubService } from './epub/epub.service.js';
import { EpubDownloads } from './epub/epub-downloads.js';
import { EpubTemplates } from './epub/epub-templates.js';
import { FailedPages } from './failed-pages.service.js';
import { ImageAddresses } from './images/image-addresses.js';
import { ImageCache } from './images/image-cache.js';
import { ImagesController } from './images/images.controller.js';
import { ImagesService } from './images/images.service.js';
import { PictureRepository } from './images/picture.repository.js';
import { ArticleReader } from './reading/article-reader.js';
import { FailedPageRepository } from './resolver/failed-page.repository.js';
import { SafeSnapshots } from './snapshots/safe-snapshots.js';

/** Returns the articles and pictures of saved pages to e-readers and apps. */
@Module({
  imports: [AuthModule, FetchingModule, ReadingListModule],
  controllers: [ArticlesController, ImagesController],
  providers: [
    provideRepository(FailedPageRepository),
    provideRepository(PictureRepository),
    ArticlesService,
    { provide: ArticleReader, useFactory: () => new ArticleReader() },
    EpubDownloads,
    EpubService,
    EpubTemplates,
    FailedPages,
    ImageAddresses,
    ImageCache,
    ImagesService,
    { provide: SafeSnapshots, useFactory: () => new SafeSnapshots() },
  ],
  exports: [
    ArticlesService,
    ArticleReader,
    EpubDownloads,
    EpubService,
    FailedPages,
    ImageAddresses,
    ImagesService,
    PictureRepository,
    SafeSnapshots,
  ],
})
export class ArticlesModule {}
